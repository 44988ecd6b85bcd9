-- Operations that decide: each is one function and answers one row; a refusal is a row, never an error.
--
-- Why functions: one call is one message each way, and each inner statement keeps its plan. Inside, every statement sees what committed before it began (read committed), so the
-- pattern is always: take the row lock first, then look, then write. Locks go in one order everywhere: drawing, image, quota.
-- They run with the caller's rights, so row level security holds inside them. A released function is never changed in a way that
-- its callers would notice: a changed one gets a new name, the old one stays for a release.

-- The end of the window that `p_now` lies in, by the tenant's own calendar.
create function chil_window_end(p_tenant bigint, p_window text, p_now timestamptz) returns timestamptz
    language sql stable
    as $$
        select (date_trunc(p_window, p_now at time zone t.time_zone) + ('1 ' || p_window)::interval) at time zone t.time_zone
          from tenant t
         where t.tenant_id = p_tenant and p_window <> 'none'
    $$;

-- Takes `p_amount` of a metric, or nothing. A tenant without a row for the metric is unlimited.
create function chil_take(p_tenant bigint, p_metric text, p_amount bigint, p_now timestamptz) returns boolean
    language plpgsql volatile
    as $$
    begin
        update quota q
           set used = case when q.resets_at <= p_now then p_amount else q.used + p_amount end,
               resets_at = case when q.resets_at <= p_now then chil_window_end(p_tenant, q.window_kind, p_now) else q.resets_at end
         where q.tenant_id = p_tenant and q.metric = p_metric
           and case when q.resets_at <= p_now then p_amount else q.used + p_amount end <= q.hard_limit;
        if found then
            return true;
        end if;
        return not exists (select from quota q where q.tenant_id = p_tenant and q.metric = p_metric);
    end
    $$;

-- Gives back what was taken of a static metric.
create function chil_give_back(p_tenant bigint, p_metric text, p_amount bigint) returns void
    language sql volatile
    as $$
        update quota q set used = greatest(q.used - p_amount, 0)
         where q.tenant_id = p_tenant and q.metric = p_metric
    $$;

-- A verified identity token becomes a session, at most once per token and per nonce.
--   verdict: accepted | nonce (not issued, expired or spent; p_nonce null: none demanded) | replayed (token seen before)
--            | quota (a new user over the tenant's limit)
-- Parallel replays wait at the unique key of spent_token (or at the nonce's row) until the first has committed, then lose.
create function chil_sign_in(
    p_tenant bigint, p_provider bigint, p_subject text, p_nonce bytea, p_token bytea, p_token_expires timestamptz,
    p_email text, p_email_verified boolean, p_private_email boolean, p_given_name text, p_family_name text,
    p_new_user bigint, p_session bigint, p_salt bytea, p_device_name text, p_user_agent text, p_address text, p_request text,
    p_now timestamptz, p_idle_expires timestamptz, p_expires timestamptz,
    out verdict text, out is_new boolean, out o_user_id bigint, out o_created_at timestamptz, out o_updated_at timestamptz,
    out o_email_verified boolean, out o_private_email boolean, out o_email text, out o_given_name text, out o_family_name text
)
    language plpgsql volatile
    as $$
    #variable_conflict use_column
    begin
        verdict := 'accepted';
        is_new := false;
        if p_nonce is not null then
            delete from nonce n where n.tenant_id = p_tenant and n.digest = p_nonce and n.expires_at > p_now;
            if not found then
                verdict := 'nonce';
            end if;
        end if;
        if verdict = 'accepted' then
            insert into spent_token (tenant_id, expires_at, digest) values (p_tenant, p_token_expires, p_token)
                on conflict do nothing;
            if not found then
                verdict := 'replayed';
            end if;
        end if;

        if verdict = 'accepted' then
            for step in 1..2 loop
                select u.user_id, u.created_at, u.updated_at, u.email_verified, u.is_private_email, u.email, u.given_name,
                       u.family_name
                  into o_user_id, o_created_at, o_updated_at, o_email_verified, o_private_email, o_email, o_given_name,
                       o_family_name
                  from identity i
                  join app_user u on u.tenant_id = i.tenant_id and u.user_id = i.user_id
                 where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = p_subject
                   and u.tenant_id = p_tenant;
                exit when found or step = 2;
                -- Two first sign-ins of one person at once: the second waits here, then finds the user.
                perform pg_advisory_xact_lock(hashtextextended(p_provider || ' ' || p_subject, p_tenant));
            end loop;

            if o_user_id is null then
                if not chil_take(p_tenant, 'users', 1, p_now) then
                    verdict := 'quota';
                else
                    insert into app_user as u (
                        tenant_id, user_id, given_name, family_name, email, email_verified, is_private_email, created_at, updated_at
                    ) values (
                        p_tenant, p_new_user, p_given_name, p_family_name, p_email, p_email_verified, p_private_email, p_now, p_now
                    )
                    returning u.user_id, u.created_at, u.updated_at, u.email_verified, u.is_private_email, u.email, u.given_name,
                              u.family_name
                         into o_user_id, o_created_at, o_updated_at, o_email_verified, o_private_email, o_email, o_given_name,
                              o_family_name;
                    insert into identity (tenant_id, provider_id, subject, user_id, created_at)
                        values (p_tenant, p_provider, p_subject, p_new_user, p_now);
                    is_new := true;
                end if;
            elsif (o_given_name is null and p_given_name is not null)
                or (o_family_name is null and p_family_name is not null)
                or (p_email is not null and (o_email, o_email_verified, o_private_email)
                    is distinct from (p_email, p_email_verified, p_private_email))
            then
                -- A name is set if empty, never overwritten; an address is what the token says, if it says one.
                update app_user u
                   set given_name = coalesce(u.given_name, p_given_name),
                       family_name = coalesce(u.family_name, p_family_name),
                       email = coalesce(p_email, u.email),
                       email_verified = case when p_email is null then u.email_verified else p_email_verified end,
                       is_private_email = case when p_email is null then u.is_private_email else p_private_email end,
                       updated_at = p_now
                 where u.tenant_id = p_tenant and u.user_id = o_user_id
                returning u.updated_at, u.email_verified, u.is_private_email, u.email, u.given_name, u.family_name
                     into o_updated_at, o_email_verified, o_private_email, o_email, o_given_name, o_family_name;
            end if;
        end if;

        if verdict = 'accepted' then
            -- A session's first generation has no parent, so it counts as used from the start.
            insert into session (
                tenant_id, session_id, user_id, salt, child_used_at, rotated_at, device_name, user_agent, address, created_at,
                last_used_at, idle_expires_at, expires_at
            ) values (
                p_tenant, p_session, o_user_id, p_salt, p_now, p_now, p_device_name, p_user_agent, p_address, p_now,
                p_now, p_idle_expires, p_expires
            );
        end if;
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id, address)
            values (
                p_tenant, p_session, p_now, 'user', coalesce(o_user_id::text, p_subject), 'session.create',
                case verdict when 'accepted' then p_session::text end, verdict, p_request, p_address
            );
    end
    $$;

-- A refresh token whose MAC was right, of counter `p_counter`.
--   verdict: rotated (answer the token of o_generation) | same (parent again, its child not in use yet: the same answer as before)
--            | reused (older than that: the session has ended now) | ended | missing
-- A parent stays good for `p_grace` after its child was first used: lost replies and two tabs are served.
create function chil_refresh(
    p_tenant bigint, p_session bigint, p_counter integer, p_audit bigint, p_request text, p_address text,
    p_now timestamptz, p_grace_expired timestamptz, p_idle_expires timestamptz,
    out verdict text, out o_user_id bigint, out o_generation integer, out o_expires_at timestamptz
)
    language plpgsql volatile
    as $$
    #variable_conflict use_column
    declare
        s record;
    begin
        select x.user_id, x.generation, x.child_used_at, x.idle_expires_at, x.expires_at, x.ended_at
          into s
          from session x
         where x.tenant_id = p_tenant and x.session_id = p_session
           for no key update;
        if not found then
            verdict := 'missing';
            return;
        end if;
        o_user_id := s.user_id;
        o_generation := s.generation;
        o_expires_at := least(s.expires_at, p_idle_expires);
        if s.ended_at is not null or s.expires_at <= p_now or s.idle_expires_at <= p_now then
            verdict := 'ended';
        elsif p_counter = s.generation then
            verdict := 'rotated';
            o_generation := s.generation + 1;
            update session x
               set generation = s.generation + 1, child_used_at = null, rotated_at = p_now, last_used_at = p_now,
                   idle_expires_at = o_expires_at
             where x.tenant_id = p_tenant and x.session_id = p_session;
        elsif p_counter = s.generation - 1 and (s.child_used_at is null or s.child_used_at >= p_grace_expired) then
            verdict := 'same';
            o_expires_at := s.idle_expires_at;
        else
            verdict := 'reused';
            update session x set ended_at = p_now, end_reason = 'reused'
             where x.tenant_id = p_tenant and x.session_id = p_session;
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id, address)
                values (
                    p_tenant, p_audit, p_now, 'user', s.user_id::text, 'session.end', p_session::text,
                    'refresh token reused: counter ' || p_counter || ' of ' || s.generation, p_request, p_address
                );
            perform pg_notify('chil', 'session ' || p_tenant || ' ' || p_session);
        end if;
    end
    $$;

-- A drawing with its image: p_bytes whole (few enough for its row), or null when its chunks were staged before.
--   verdict: created | drawings | storage_bytes (the quota that refused) | unstaged (chunks missing or their lease over)
-- The same bytes of one owner are kept, and counted, once.
create function chil_create_drawing(
    p_tenant bigint, p_owner bigint, p_drawing bigint, p_kind text, p_title text, p_prompt text,
    p_hash bytea, p_byte_count bigint, p_media_type text, p_width integer, p_height integer, p_bytes bytea,
    p_request text, p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        is_published boolean;  -- null: there is no such image
    begin
        -- Holds the image against a delete of its last drawing; waits for one that is under way.
        select i.staged_until is null into is_published
          from image i
         where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash
           for key share;
        if p_bytes is null and is_published is null then
            return 'unstaged';
        end if;

        -- The gates come before the bytes, so that a refused upload leaves no dead rows.
        if not chil_take(p_tenant, 'drawings', 1, p_now) then
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, detail, request_id)
                values (p_tenant, p_drawing, p_now, 'user', p_owner::text, 'drawing.create', 'quota drawings', p_request);
            return 'drawings';
        end if;
        if is_published is not true then
            if not chil_take(p_tenant, 'storage_bytes', p_byte_count, p_now) then
                perform chil_give_back(p_tenant, 'drawings', 1);
                insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, detail, request_id)
                    values (p_tenant, p_drawing, p_now, 'user', p_owner::text, 'drawing.create', 'quota storage_bytes', p_request);
                return 'storage_bytes';
            end if;
            if p_bytes is null then
                -- What was staged must be whole. octet_length of external storage reads no bytes.
                update image i set staged_until = null
                 where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash and i.staged_until > p_now
                   and (i.chunk_count::bigint, i.byte_count) = (
                        select count(*), coalesce(sum(octet_length(c.bytes)), 0)
                          from image_chunk c
                         where c.tenant_id = p_tenant and c.owner_id = p_owner and c.hash = p_hash
                       );
            else
                insert into image as i (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, bytes)
                    values (p_tenant, p_owner, p_hash, p_byte_count, p_media_type, p_width, p_height, 0, p_bytes)
                    on conflict (tenant_id, owner_id, hash)
                    do update set staged_until = null, chunk_count = 0, bytes = excluded.bytes
                    where i.staged_until is not null;
            end if;
            if not found then
                -- The same bytes were published by another request meanwhile; or, if staged, they are not whole.
                perform chil_give_back(p_tenant, 'storage_bytes', p_byte_count);
                if not exists (
                    select from image i
                     where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash and i.staged_until is null
                ) then
                    perform chil_give_back(p_tenant, 'drawings', 1);
                    return 'unstaged';
                end if;
            end if;
        end if;

        insert into drawing (
            tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type,
            image_hash, title, prompt
        ) values (
            p_tenant, p_drawing, p_owner, p_byte_count, p_now, p_now, p_width, p_height, p_kind, 'READY', p_media_type,
            p_hash, p_title, p_prompt
        );
        return 'created';
    end
    $$;

-- Deletes a drawing of this owner, its image if no other drawing shows it, and gives the quota back. False: there is none.
create function chil_delete_drawing(p_tenant bigint, p_owner bigint, p_drawing bigint) returns boolean
    language plpgsql volatile
    as $$
    declare
        gone_hash bytea;
        gone_bytes bigint;
    begin
        delete from drawing d
         where d.tenant_id = p_tenant and d.owner_id = p_owner and d.drawing_id = p_drawing
        returning d.image_hash into gone_hash;
        if not found then
            return false;
        end if;
        if gone_hash is not null then
            perform from image i where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = gone_hash for update;
            delete from image i
             where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = gone_hash
               and not exists (
                    select from drawing d
                     where d.tenant_id = p_tenant and d.owner_id = p_owner and d.image_hash = gone_hash
                   )
            returning i.byte_count into gone_bytes;
        end if;
        -- The same order as taking: drawings, then storage_bytes.
        perform chil_give_back(p_tenant, 'drawings', 1);
        if gone_bytes is not null then
            perform chil_give_back(p_tenant, 'storage_bytes', gone_bytes);
        end if;
        return true;
    end
    $$;

grant execute on function
    chil_window_end(bigint, text, timestamptz),
    chil_take(bigint, text, bigint, timestamptz),
    chil_give_back(bigint, text, bigint),
    chil_sign_in(bigint, bigint, text, bytea, bytea, timestamptz, text, boolean, boolean, text, text, bigint, bigint, bytea, text, text,
                 text, text, timestamptz, timestamptz, timestamptz),
    chil_refresh(bigint, bigint, integer, bigint, text, text, timestamptz, timestamptz, timestamptz),
    chil_create_drawing(bigint, bigint, bigint, text, text, text, bytea, bigint, text, integer, integer, bytea, text, timestamptz),
    chil_delete_drawing(bigint, bigint, bigint)
    to chil_service;
grant execute on function chil_window_end(bigint, text, timestamptz) to chil_operator;
