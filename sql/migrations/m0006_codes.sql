-- Sign-in, with an authorization code or without: as in m0003_decisions, one function an operation, one row an answer.
--
-- A client that lost the answer gets the same session again, and a code's exchange is queued in the transaction that makes the session.

-- A verified identity token becomes a session, at most once per token and per nonce.
--   verdict: accepted | repeated (the same token with the same code again: the session it made, which nobody has refreshed yet)
--            | nonce (not issued, expired or spent; p_nonce null: none demanded) | replayed (token seen before) | banned
--            | quota … (a new user over a limit of the tenant's, which chil_take names)
--            | outdated (made before consent was revoked, or before the account ended)
--   p_client_id          the token's audience, remembered: codes and tokens of the user's are exchanged and revoked under it
--   p_transfer_subject   leads to the user's subject before a team transfer; a user found by it gets p_subject
--   p_code               digest of the authorization code that came with the token, or was exchanged for it; null: none
--   p_exchange           the number of the exchange to be queued for the code
--   p_sealed_code        that code; null: nobody could exchange it
--   p_is_exchanged       the exchange came first, and the identity token from it
--   p_sealed_token       the provider's refresh token that it gave; null: none
--   p_issued             when the token was made, by the provider's clock, which has whole seconds: one of the same second is outdated
--   p_subject_digests    by each key that the service has (chil_subject_digest), one after another
--   p_sessions_max       live sessions of one user: the least recently used ends; null: no limit
-- Parallel replays wait at the unique key of spent_token (or at the nonce's row, or the code's) until the first has committed, then lose.
-- Locks go in this order: nonce, code, token, user, identity, sessions, quota. The user's is shared, so that sign-ins of one user do not wait
-- for each other, but a ban or a deletion under way does not miss the new session.
create function chil_sign_in(
    p_tenant bigint, p_provider bigint, p_client_id text, p_subject text, p_transfer_subject text, p_nonce bytea, p_token bytea,
    p_token_expires timestamptz, p_email text, p_email_verified boolean, p_private_email boolean, p_given_name text,
    p_family_name text, p_new_user bigint, p_session bigint, p_salt bytea, p_device_name text, p_user_agent text, p_address text,
    p_request text, p_audit bigint, p_sessions_max integer, p_code bytea, p_exchange bigint, p_sealed_code bytea,
    p_is_exchanged boolean, p_sealed_token bytea, p_code_expires timestamptz, p_now timestamptz, p_idle_expires timestamptz, p_expires timestamptz,
    p_issued timestamptz, p_subject_digests bytea,
    out verdict text, out is_new boolean, out o_session_id bigint, out o_salt bytea, out o_idle_expires_at timestamptz,
    out o_user_id bigint, out o_created_at timestamptz, out o_updated_at timestamptz,
    out o_email_verified boolean, out o_private_email boolean, out o_email text, out o_given_name text, out o_family_name text
)
    language plpgsql volatile
    as $$
    #variable_conflict use_column
    declare
        used record;
        known record;
        user_state text;
        proof_after timestamptz;
        held_subject text;
        has_new_code boolean := false;
        is_exchange boolean;
        refusal text;
        ended bigint[];
    begin
        verdict := 'accepted';
        is_new := false;
        o_session_id := p_session;
        o_salt := p_salt;
        o_idle_expires_at := p_idle_expires;

        if p_code is not null and not p_is_exchanged then
            insert into code_use (tenant_id, digest, expires_at, leased_until, session_id, token_digest)
                values (p_tenant, p_code, p_code_expires, p_now, p_session, p_token)
                on conflict do nothing;
            has_new_code := found;
            if not has_new_code then
                select s.session_id, s.user_id, s.salt, s.idle_expires_at, s.created_at
                  into used
                  from code_use c
                  join session s on s.tenant_id = p_tenant and s.session_id = c.session_id
                 where c.tenant_id = p_tenant and c.digest = p_code and c.token_digest = p_token and c.expires_at > p_now
                   and s.generation = 1 and s.ended_at is null and s.expires_at > p_now and s.idle_expires_at > p_now;
                if found then
                    verdict := 'repeated';
                    o_session_id := used.session_id;
                    o_salt := used.salt;
                    o_idle_expires_at := used.idle_expires_at;
                    o_user_id := used.user_id;
                end if;
            end if;
        end if;

        if verdict = 'accepted' and p_nonce is not null then
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
            for step in 1..3 loop
                held_subject := p_subject;
                select i.user_id, i.client_id, i.consent_revoked_at
                  into known
                  from identity i
                 where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = p_subject;
                if not found and step > 1 and p_transfer_subject is not null then
                    -- Taken along by a team transfer: the subject changed, the person did not.
                    held_subject := coalesce(
                        (
                            select t.subject
                              from subject_transfer t
                             where t.tenant_id = p_tenant and t.provider_id = p_provider and t.transfer_subject = p_transfer_subject
                        ),
                        p_transfer_subject
                    );
                    select i.user_id, i.client_id, i.consent_revoked_at
                      into known
                      from identity i
                     where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = held_subject;
                end if;
                if found then
                    if p_sessions_max is not null then
                        -- One at a time, or two would both find room for one more.
                        perform from app_user u
                          where u.tenant_id = p_tenant and u.user_id = known.user_id for no key update;
                    end if;
                    select u.user_id, u.created_at, u.updated_at, u.email_verified, u.is_private_email, u.email, u.given_name,
                           u.family_name, u.state, u.proof_after
                      into o_user_id, o_created_at, o_updated_at, o_email_verified, o_private_email, o_email, o_given_name,
                           o_family_name, user_state, proof_after
                      from app_user u
                     where u.tenant_id = p_tenant and u.user_id = known.user_id
                       for share;
                    if found and held_subject <> p_subject then
                        -- Only now, under the user's lock: the identity may have gone elsewhere meanwhile.
                        update identity i
                           set subject = p_subject, transferred_from = i.subject
                         where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = held_subject
                           and i.user_id = known.user_id;
                        if found then
                            update code_exchange e set subject = p_subject
                             where e.tenant_id = p_tenant and e.provider_id = p_provider and e.subject = held_subject;
                            delete from subject_transfer t
                             where t.tenant_id = p_tenant and t.provider_id = p_provider and t.transfer_subject = p_transfer_subject;
                            exit;
                        end if;
                        o_user_id := null;
                    else
                        exit when found;
                    end if;
                elsif step > 1 then
                    exit;
                end if;
                -- Two first sign-ins of one person at once: the second waits here, then finds the user. A user deleted
                -- under our eyes is a new one too.
                perform pg_advisory_xact_lock(hashtextextended(p_provider || ' ' || p_subject, p_tenant));
            end loop;
            is_exchange := has_new_code and p_sealed_code is not null;

            if o_user_id is null then
                select max(e.ended_at)
                  into proof_after
                  from ended_subject e
                 where e.tenant_id = p_tenant and e.digest = any (array(
                        select substr(p_subject_digests, at, 32) from generate_series(1, octet_length(p_subject_digests), 32) as at
                       ));
            end if;
            if p_issued <= proof_after then
                verdict := 'outdated';
            elsif o_user_id is null then
                refusal := chil_take(p_tenant, 'users', null, null, 1, p_now);
                if refusal is not null then
                    verdict := 'quota ' || refusal;
                else
                    insert into app_user as u (
                        tenant_id, user_id, given_name, family_name, email, email_verified, is_private_email, created_at, updated_at,
                        proof_after
                    ) values (
                        p_tenant, p_new_user, p_given_name, p_family_name, p_email, p_email_verified, p_private_email, p_now, p_now,
                        proof_after
                    )
                    returning u.user_id, u.created_at, u.updated_at, u.email_verified, u.is_private_email, u.email, u.given_name,
                              u.family_name
                         into o_user_id, o_created_at, o_updated_at, o_email_verified, o_private_email, o_email, o_given_name,
                              o_family_name;
                    insert into identity (
                        tenant_id, provider_id, subject, user_id, created_at, client_id, sealed_token, token_client_id, token_state,
                        token_at
                    ) values (
                        p_tenant, p_provider, p_subject, p_new_user, p_now, p_client_id, p_sealed_token,
                        case when p_sealed_token is not null then p_client_id end,
                        case when p_sealed_token is not null then 'held' when is_exchange then 'pending' else 'none' end,
                        case when p_sealed_token is not null then p_now end
                    );
                    is_new := true;
                end if;
            elsif user_state = 'banned' then
                verdict := 'banned';
            else
                if (o_given_name is null and p_given_name is not null)
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
                           updated_at = p_now, version = u.version + 1
                     where u.tenant_id = p_tenant and u.user_id = o_user_id
                    returning u.updated_at, u.email_verified, u.is_private_email, u.email, u.given_name, u.family_name
                         into o_updated_at, o_email_verified, o_private_email, o_email, o_given_name, o_family_name;
                end if;
                if is_exchange or p_sealed_token is not null or known.consent_revoked_at is not null
                    or known.client_id is distinct from p_client_id
                then
                    -- Whoever signs in again has consented again. A token that is held stays until another takes its place.
                    update identity i
                       set client_id = p_client_id,
                           consent_revoked_at = null,
                           sealed_token = coalesce(p_sealed_token, i.sealed_token),
                           token_client_id = case when p_sealed_token is not null then p_client_id else i.token_client_id end,
                           token_state = case when p_sealed_token is not null then 'held' when is_exchange then 'pending'
                                              else i.token_state end,
                           token_fault = case when p_sealed_token is not null or is_exchange then null else i.token_fault end,
                           token_at = case when p_sealed_token is not null then p_now else i.token_at end
                     where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = p_subject;
                end if;
            end if;
        end if;

        if verdict = 'accepted' then
            if p_sessions_max is not null and not is_new then
                update session s
                   set ended_at = p_now, end_reason = 'limit'
                 where s.tenant_id = p_tenant and s.session_id = any (array(
                        select x.session_id
                          from session x
                         where x.tenant_id = p_tenant and x.user_id = o_user_id and x.ended_at is null
                           and x.expires_at > p_now and x.idle_expires_at > p_now
                         order by x.last_used_at desc, x.session_id desc
                        offset p_sessions_max - 1
                       ))
                   and s.ended_at is null;
                if found then
                    ended := array(
                        select s.session_id
                          from session s
                         where s.tenant_id = p_tenant and s.user_id = o_user_id and s.ended_at = p_now and s.end_reason = 'limit'
                         order by s.session_id
                    );
                    perform pg_notify('chil', 'session ' || p_tenant || ' ' || one) from unnest(ended) as one;
                    insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
                        values (
                            p_tenant, p_audit, p_now, 'user', o_user_id::text, 'session.end', array_to_string(ended, ' '),
                            'limit ' || p_sessions_max, p_request
                        );
                end if;
            end if;
            -- A session's first generation has no parent, so it counts as used from the start.
            insert into session (
                tenant_id, session_id, user_id, salt, child_used_at, rotated_at, device_name, user_agent, address, created_at,
                last_used_at, idle_expires_at, expires_at, client_id
            ) values (
                p_tenant, p_session, o_user_id, p_salt, p_now, p_now, p_device_name, p_user_agent, p_address, p_now,
                p_now, p_idle_expires, p_expires, p_client_id
            );
            if is_exchange then
                insert into code_exchange (tenant_id, exchange_id, provider_id, subject, client_id, sealed_code, expires_at)
                    values (p_tenant, p_exchange, p_provider, p_subject, p_client_id, p_sealed_code, p_code_expires);
                insert into work (tenant_id, work_id, kind, subject_id, run_at)
                    values (p_tenant, p_exchange, 'exchange', p_exchange, now());
            end if;
            if p_is_exchanged then
                update code_use c set session_id = p_session, fault = null
                 where c.tenant_id = p_tenant and c.digest = p_code and c.session_id is null;
            end if;
        elsif verdict = 'repeated' then
            select u.created_at, u.updated_at, u.email_verified, u.is_private_email, u.email, u.given_name, u.family_name
              into o_created_at, o_updated_at, o_email_verified, o_private_email, o_email, o_given_name, o_family_name
              from app_user u
             where u.tenant_id = p_tenant and u.user_id = o_user_id;
            -- Told as the first time: the user came with this session.
            is_new := o_created_at = used.created_at;
        elsif has_new_code then
            -- Nothing came of it: the code may come again with a better token.
            delete from code_use c where c.tenant_id = p_tenant and c.digest = p_code and c.session_id = p_session;
        end if;
        if verdict <> 'accepted' and p_sealed_token is not null then
            -- What the provider gave is nobody's here. The number is the session's that was not made, negative: nothing else has that.
            perform chil_queue_revocation(p_tenant, -p_session, null, p_provider, p_client_id, p_sealed_token, p_now);
        end if;
        -- The others cost their sender nothing, and may be many: the service counts them.
        if verdict in ('accepted', 'banned', 'outdated') or refusal is not null then
            -- Of a user no address, and of one who is refused not even the subject: the audit outlives the account.
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
                values (
                    p_tenant,
                    case when refusal is null then p_session else chil_refusal_number('session.create', null, refusal, p_now) end,
                    p_now, 'user', coalesce(o_user_id::text, 'unknown'), 'session.create',
                    case verdict when 'accepted' then o_session_id::text end, verdict, p_request
                )
                on conflict do nothing;
        end if;
    end
    $$;

-- Takes an authorization code that came alone for its exchange, so that nobody else exchanges it meanwhile. True: it is the caller's until
-- p_leased_until. False: used, refused by the provider, or in someone's hands: look at its row.
create function chil_take_code(
    p_tenant bigint, p_code bytea, p_now timestamptz, p_leased_until timestamptz, p_expires timestamptz
) returns boolean
    language plpgsql volatile
    as $$
    begin
        insert into code_use (tenant_id, digest, expires_at, leased_until) values (p_tenant, p_code, p_expires, p_leased_until)
            on conflict do nothing;
        if found then
            return true;
        end if;
        update code_use c set leased_until = p_leased_until
         where c.tenant_id = p_tenant and c.digest = p_code and c.session_id is null and c.fault is null and c.leased_until <= p_now;
        return found;
    end
    $$;

-- The end of an exchange that was queued at sign-in, by the worker that holds its work row: the provider's refresh token, or why there is
-- none. A token that was held before stays held when a later exchange fails.
--   verdict: stored | orphan (the account has gone: the token is queued for revocation; that there is none the receipt of the deletion
--            tells as failed, for the person's consent stands at the provider) | lost (the lease is another's now)
-- Locks: work, identity, the exchange. The revocation has the exchange's number, negative: nothing else has that.
create function chil_end_exchange(
    p_tenant bigint, p_work bigint, p_fence bigint, p_exchange bigint, p_provider bigint, p_client_id text, p_sealed_token bytea,
    p_fault text, p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        owner text;
        deletion bigint;
    begin
        delete from work w where w.tenant_id = p_tenant and w.work_id = p_work and w.fence = p_fence;
        if not found then
            return 'lost';
        end if;
        for attempt in 1..3 loop
            select e.subject, e.deletion_id into owner, deletion
              from code_exchange e
             where e.tenant_id = p_tenant and e.exchange_id = p_exchange;
            exit when not found or deletion is not null;
            -- Before the exchange, as a deletion and a transfer have it. They may have been faster: then it is looked at again.
            perform from identity i
              where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = owner
                for no key update;
            if found then
                delete from code_exchange e where e.tenant_id = p_tenant and e.exchange_id = p_exchange;
                update identity i
                   set sealed_token = coalesce(p_sealed_token, i.sealed_token),
                       token_client_id = case when p_sealed_token is not null then p_client_id else i.token_client_id end,
                       token_state = case when coalesce(p_sealed_token, i.sealed_token) is not null then 'held' else 'failed' end,
                       token_fault = p_fault,
                       token_at = p_now
                 where i.tenant_id = p_tenant and i.provider_id = p_provider and i.subject = owner;
                return 'stored';
            end if;
        end loop;
        delete from code_exchange e where e.tenant_id = p_tenant and e.exchange_id = p_exchange;
        if p_sealed_token is not null then
            perform chil_queue_revocation(p_tenant, -p_exchange, deletion, p_provider, p_client_id, p_sealed_token, p_now);
        elsif deletion is not null then
            perform chil_fail_revocation(p_tenant, -p_exchange, deletion, p_provider, p_client_id, p_fault, p_now);
        end if;
        return 'orphan';
    end
    $$;

grant execute on function
    chil_sign_in(bigint, bigint, text, text, text, bytea, bytea, timestamptz, text, boolean, boolean, text, text, bigint, bigint, bytea,
                 text, text, text, text, bigint, integer, bytea, bigint, bytea, boolean, bytea, timestamptz, timestamptz,
                 timestamptz, timestamptz, timestamptz, bytea),
    chil_take_code(bigint, bytea, timestamptz, timestamptz, timestamptz),
    chil_end_exchange(bigint, bigint, bigint, bigint, bigint, text, bytea, text, timestamptz)
    to chil_service;
