-- Sessions and signing keys: refresh by the tenant's settings, ends of sessions, and keys that are published before they sign.
--
-- Why functions: each decides under a row lock and answers one row. Locks: user before session; the sessions of one user by number;
-- the keys of one tenant by key id. Rows about people carry no address: the session's row has it, and goes with the user.

-- A refresh token whose MAC was right, of counter `p_counter`. Lifetimes are the tenant's of now (a shortened one holds for sessions that
-- were there before; a longer absolute one only for new sessions); a user who is not active has no session to go on with.
-- A parent stays good while its child's first use is not before `p_grace_expired`: lost replies and two tabs are served.
--   verdict: rotated (answer the token of o_generation) | same (parent again, its child not in use yet: the same answer as before)
--            | reused (older than that: the session has ended now) | ended | missing
--   o_expires_at: when the session ends if it is not refreshed again.
create function chil_refresh(
    p_tenant bigint, p_session bigint, p_counter integer, p_audit bigint, p_request text,
    p_now timestamptz, p_grace_expired timestamptz, p_idle_s integer, p_absolute_s integer,
    out verdict text, out o_user_id bigint, out o_generation integer, out o_expires_at timestamptz
)
    language plpgsql volatile
    as $$
    #variable_conflict use_column
    declare
        s record;
        absolute_end timestamptz;
        idle_end timestamptz;
    begin
        select x.user_id, x.generation, x.child_used_at, x.rotated_at, x.created_at, x.idle_expires_at, x.expires_at, x.ended_at
          into s
          from session x
         where x.tenant_id = p_tenant and x.session_id = p_session
           for no key update;
        if not found then
            verdict := 'missing';
            return;
        end if;
        absolute_end := least(s.expires_at, s.created_at + make_interval(secs => p_absolute_s));
        idle_end := least(s.idle_expires_at, s.rotated_at + make_interval(secs => p_idle_s));
        o_user_id := s.user_id;
        o_generation := s.generation;
        o_expires_at := least(absolute_end, idle_end);
        if s.ended_at is not null or o_expires_at <= p_now
            or not exists (
                select from app_user u where u.tenant_id = p_tenant and u.user_id = s.user_id and u.state = 'active'
            )
        then
            verdict := 'ended';
        elsif p_counter = s.generation then
            verdict := 'rotated';
            o_generation := s.generation + 1;
            o_expires_at := least(absolute_end, p_now + make_interval(secs => p_idle_s));
            update session x
               set generation = s.generation + 1, child_used_at = null, rotated_at = p_now, last_used_at = p_now,
                   idle_expires_at = o_expires_at
             where x.tenant_id = p_tenant and x.session_id = p_session;
        elsif p_counter = s.generation - 1 and (s.child_used_at is null or s.child_used_at >= p_grace_expired) then
            verdict := 'same';
        else
            verdict := 'reused';
            update session x set ended_at = p_now, end_reason = 'reused'
             where x.tenant_id = p_tenant and x.session_id = p_session;
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
                values (
                    p_tenant, p_audit, p_now, 'user', s.user_id::text, 'session.end', p_session::text,
                    'refresh token reused: counter ' || p_counter || ' of ' || s.generation, p_request
                );
            perform pg_notify('chil', 'session ' || p_tenant || ' ' || p_session);
        end if;
    end
    $$;

-- Ends live sessions of a user, audits and announces it, and answers how many ended. What has ended before is left as it is.
--   p_scope: local (p_session alone; p_user null: whoever's it is) | others (all but p_session) | global
create function chil_end_sessions(
    p_tenant bigint, p_user bigint, p_session bigint, p_scope text, p_reason text, p_actor_kind text, p_actor text,
    p_audit bigint, p_request text, p_now timestamptz
) returns integer
    language plpgsql volatile
    as $$
    declare
        ended integer;
    begin
        if p_scope = 'local' then
            update session x set ended_at = p_now, end_reason = p_reason
             where x.tenant_id = p_tenant and x.session_id = p_session and (p_user is null or x.user_id = p_user)
               and x.ended_at is null and x.expires_at > p_now and x.idle_expires_at > p_now;
            get diagnostics ended = row_count;
        else
            -- In the order of their numbers, so that two ends at once wait for each other instead of locking each other up.
            perform from session x
              where x.tenant_id = p_tenant and x.user_id = p_user and x.ended_at is null
              order by x.session_id
                for no key update;
            update session x set ended_at = p_now, end_reason = p_reason
             where x.tenant_id = p_tenant and x.user_id = p_user and (p_scope = 'global' or x.session_id <> p_session)
               and x.ended_at is null and x.expires_at > p_now and x.idle_expires_at > p_now;
            get diagnostics ended = row_count;
        end if;
        if ended > 0 then
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
                values (
                    p_tenant, p_audit, p_now, p_actor_kind, p_actor, 'session.end', coalesce(p_session, p_user)::text,
                    p_reason || ' ' || p_scope, p_request
                );
            perform pg_notify(
                'chil',
                case p_scope when 'local' then 'session ' || p_tenant || ' ' || p_session else 'user ' || p_tenant || ' ' || p_user end
            );
        end if;
        return ended;
    end
    $$;

-- One step of a rotation. Without a key that waits, the new one is published as `next`; one that was published before p_ripe_before
-- (p_now: at once) becomes the active one, and the active one is retired: it verifies until its last token is over.
--   verdict: published (p_key_id waits now) | waiting (o_key_id was published at o_published_at, too lately) | activated (o_key_id signs)
create function chil_rotate_key(
    p_tenant bigint, p_key_id text, p_public_x bytea, p_public_y bytea, p_sealed_private bytea, p_ripe_before timestamptz,
    p_audit bigint, p_operator text, p_now timestamptz,
    out verdict text, out o_key_id text, out o_published_at timestamptz
)
    language plpgsql volatile
    as $$
    begin
        perform from tenant_key k
          where k.tenant_id = p_tenant and k.state in ('next', 'active') order by k.key_id for no key update;
        select k.key_id, k.created_at into o_key_id, o_published_at
          from tenant_key k where k.tenant_id = p_tenant and k.state = 'next';
        if o_key_id is null then
            verdict := 'published';
            o_key_id := p_key_id;
            o_published_at := p_now;
            insert into tenant_key (tenant_id, key_id, state, public_x, public_y, sealed_private, created_at)
                values (p_tenant, p_key_id, 'next', p_public_x, p_public_y, p_sealed_private, p_now);
        else
            verdict := 'waiting';
        end if;
        if o_published_at <= p_ripe_before then
            verdict := 'activated';
            update tenant_key k set state = 'retired', retired_at = p_now where k.tenant_id = p_tenant and k.state = 'active';
            update tenant_key k set state = 'active', activated_at = p_now
             where k.tenant_id = p_tenant and k.key_id = o_key_id;
        end if;
        if verdict <> 'waiting' then
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                values (p_tenant, p_audit, p_now, 'operator', p_operator, 'key.rotate', o_key_id, verdict);
            perform pg_notify('chil', 'tenant ' || p_tenant);
        end if;
    end
    $$;

-- A key that signs for nothing any more, at once: its tokens are void. In the place of an active one comes the one that waits, or
-- p_new_key_id. The private key is wiped.
--   verdict: revoked (o_active_key_id signs now) | already | missing
create function chil_revoke_key(
    p_tenant bigint, p_key_id text, p_new_key_id text, p_public_x bytea, p_public_y bytea, p_sealed_private bytea,
    p_audit bigint, p_operator text, p_now timestamptz,
    out verdict text, out o_active_key_id text
)
    language plpgsql volatile
    as $$
    declare
        old_state text;
    begin
        perform from tenant_key k
          where k.tenant_id = p_tenant and (k.state in ('next', 'active') or k.key_id = p_key_id) order by k.key_id for no key update;
        select k.state into old_state from tenant_key k where k.tenant_id = p_tenant and k.key_id = p_key_id;
        verdict := case when old_state is null then 'missing' when old_state = 'revoked' then 'already' else 'revoked' end;
        if verdict = 'revoked' then
            update tenant_key k set state = 'revoked', retired_at = coalesce(k.retired_at, p_now), sealed_private = ''
             where k.tenant_id = p_tenant and k.key_id = p_key_id;
            if old_state = 'active' then
                update tenant_key k set state = 'active', activated_at = p_now where k.tenant_id = p_tenant and k.state = 'next';
                if not found then
                    insert into tenant_key (
                        tenant_id, key_id, state, public_x, public_y, sealed_private, created_at, activated_at
                    ) values (p_tenant, p_new_key_id, 'active', p_public_x, p_public_y, p_sealed_private, p_now, p_now);
                end if;
            end if;
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                values (p_tenant, p_audit, p_now, 'operator', p_operator, 'key.revoke', p_key_id, old_state);
            perform pg_notify('chil', 'tenant ' || p_tenant);
        end if;
        select k.key_id into o_active_key_id from tenant_key k where k.tenant_id = p_tenant and k.state = 'active';
    end
    $$;

-- Replaces one sealed value, if it is still the one that was read.
create function chil_reseal(p_tenant bigint, p_column text, p_key text, p_subject text, p_old bytea, p_new bytea) returns boolean
    language plpgsql volatile
    as $$
    begin
        if p_column = 'tenant_key.sealed_private' then
            update tenant_key k set sealed_private = p_new
             where k.tenant_id = p_tenant and k.key_id = p_key and k.sealed_private = p_old;
        elsif p_column = 'provider.sealed_key' then
            update provider p set sealed_key = p_new
             where p.tenant_id = p_tenant and p.provider_id = p_key::bigint and p.sealed_key = p_old;
        elsif p_column = 'identity.sealed_token' then
            update identity i set sealed_token = p_new
             where i.tenant_id = p_tenant and i.provider_id = p_key::bigint and i.subject = p_subject and i.sealed_token = p_old;
        elsif p_column = 'webhook_endpoint.sealed_secret' then
            update webhook_endpoint e set sealed_secret = p_new
             where e.tenant_id = p_tenant and e.endpoint_id = p_key::bigint and e.sealed_secret = p_old;
        elsif p_column = 'webhook_endpoint.sealed_old_secret' then
            update webhook_endpoint e set sealed_old_secret = p_new
             where e.tenant_id = p_tenant and e.endpoint_id = p_key::bigint and e.sealed_old_secret = p_old;
        elsif p_column = 'image_endpoint.sealed_key' then
            update image_endpoint e set sealed_key = p_new
             where e.tenant_id = p_tenant and e.endpoint_id = p_key::bigint and e.sealed_key = p_old;
        elsif p_column = 'epson_account.sealed_secret' then
            update epson_account e set sealed_secret = p_new
             where e.tenant_id = p_tenant and e.printer_id = p_key::bigint and e.sealed_secret = p_old;
        elsif p_column = 'epson_account.sealed_api_key' then
            update epson_account e set sealed_api_key = p_new
             where e.tenant_id = p_tenant and e.printer_id = p_key::bigint and e.sealed_api_key = p_old;
        elsif p_column = 'epson_account.sealed_refresh' then
            update epson_account e set sealed_refresh = p_new
             where e.tenant_id = p_tenant and e.printer_id = p_key::bigint and e.sealed_refresh = p_old;
        else
            raise exception 'no sealed column %', p_column using errcode = 'invalid_parameter_value';
        end if;
        return found;
    end
    $$;

grant execute on function
    chil_refresh(bigint, bigint, integer, bigint, text, timestamptz, timestamptz, integer, integer)
    to chil_service;
grant execute on function
    chil_end_sessions(bigint, bigint, bigint, text, text, text, text, bigint, text, timestamptz)
    to chil_service, chil_operator;
grant execute on function
    chil_rotate_key(bigint, text, bytea, bytea, bytea, timestamptz, bigint, text, timestamptz),
    chil_revoke_key(bigint, text, text, bytea, bytea, bytea, bigint, text, timestamptz),
    chil_reseal(bigint, text, text, text, bytea, bytea)
    to chil_operator;

-- A revoked key's private half is wiped; what was sealed under an old key is sealed anew.
grant update (sealed_private) on tenant_key to chil_operator;
grant update (sealed_token) on identity to chil_operator;
-- What is sealed under an old key still, and is not sealed anew, is counted.
grant select (tenant_id, sealed_code) on code_exchange to chil_operator;
