-- What a provider tells of its users: stored once, then acted on. As in m0003_decisions, one function an operation, one row an answer.
--
-- Locks: user, then what hangs on one, then the event's work and its row.

-- The shared address for notifications knows a client id, and nothing else.
create index provider_client_by_client on provider_client (client_id);

-- Stores an event, with work to act on it where its kind is one that is acted on. False: it was stored before.
-- p_event is also the number of its work, and of its audit row.
create function chil_take_event(
    p_tenant bigint, p_event bigint, p_provider bigint, p_digest bytea, p_kind text, p_subject text, p_is_work boolean,
    p_happened_at timestamptz, p_now timestamptz
) returns boolean
    language plpgsql volatile
    as $$
    begin
        insert into provider_event (
            tenant_id, event_id, provider_id, digest, kind, subject, happened_at, received_at, applied_at, outcome
        ) values (
            p_tenant, p_event, p_provider, p_digest, p_kind, p_subject, least(p_happened_at, p_now), p_now,
            case when not p_is_work then p_now end, case when not p_is_work then 'unknown kind' end
        )
        on conflict do nothing;
        if not found then
            return false;
        end if;
        if p_is_work then
            insert into work (tenant_id, work_id, kind, subject_id, run_at) values (p_tenant, p_event, 'event', p_event, now());
        end if;
        return true;
    end
    $$;

-- Acts on an event, by the worker that holds its work, and ends that work.
--   verdict: applied | nobody (no user of that subject) | stale (the user has signed in since, or said otherwise since)
--            | guest (the tenant's guest is nobody's account) | over (it was acted on before) | lost (the lease is another's now)
-- p_receipt: the digest of a receipt for an account that is deleted, which nobody gets. p_pepper: see chil_subject_digest.
-- An event that comes late says nothing of what was made after it: sessions and tokens younger than a minute past it stay.
create function chil_apply_event(
    p_tenant bigint, p_work bigint, p_fence bigint, p_event bigint, p_receipt bytea, p_now timestamptz, p_pepper bytea,
    out verdict text, out o_user_id bigint
)
    language plpgsql volatile
    as $$
    #variable_conflict use_column
    declare
        e record;
        i record;
        ended bigint;
        limit_at timestamptz;
        note text;
    begin
        select x.provider_id, x.kind, x.subject, x.happened_at, x.applied_at
          into e
          from provider_event x
         where x.tenant_id = p_tenant and x.event_id = p_event;
        if found and e.applied_at is null then
            limit_at := e.happened_at + interval '1 minute';
            for attempt in 1..3 loop
                select x.user_id, x.created_at, x.token_state, x.token_at
                  into i
                  from identity x
                 where x.tenant_id = p_tenant and x.provider_id = e.provider_id and x.subject = e.subject;
                exit when not found;
                if e.kind = 'account-delete' then
                    perform from app_user u where u.tenant_id = p_tenant and u.user_id = i.user_id for update;
                else
                    perform from app_user u where u.tenant_id = p_tenant and u.user_id = i.user_id for no key update;
                end if;
                -- The user went while this waited: another may have the subject by now.
                exit when found;
            end loop;
        end if;

        delete from work w where w.tenant_id = p_tenant and w.work_id = p_work and w.fence = p_fence;
        if not found then
            verdict := 'lost';
            return;
        end if;
        perform from provider_event x
         where x.tenant_id = p_tenant and x.event_id = p_event and x.applied_at is null
           for update;
        if not found then
            verdict := 'over';
            return;
        end if;
        o_user_id := i.user_id;

        if o_user_id is null then
            verdict := 'nobody';
        elsif e.kind = 'consent-revoked' then
            update session s set ended_at = p_now, end_reason = 'consent-revoked'
             where s.tenant_id = p_tenant and s.user_id = o_user_id and s.ended_at is null and s.created_at <= limit_at;
            get diagnostics ended = row_count;
            note := ended || ' sessions';
            -- By the provider's clock, as the time in its tokens is.
            update app_user u set proof_after = greatest(u.proof_after, e.happened_at)
             where u.tenant_id = p_tenant and u.user_id = o_user_id;
            update identity x
               set consent_revoked_at = case
                       when exists (
                           select from session s
                            where s.tenant_id = p_tenant and s.user_id = o_user_id and s.created_at > limit_at
                       ) then x.consent_revoked_at  -- consented anew since
                       else e.happened_at
                   end,
                   sealed_token = case when x.token_at > limit_at then x.sealed_token end,
                   token_client_id = case when x.token_at > limit_at then x.token_client_id end,
                   token_state = case when x.token_at > limit_at or x.token_state <> 'held' then x.token_state else 'dropped' end
             where x.tenant_id = p_tenant and x.provider_id = e.provider_id and x.subject = e.subject;
            perform pg_notify('chil', 'user ' || p_tenant || ' ' || o_user_id);
            verdict := 'applied';
        elsif e.kind = 'account-delete' then
            if i.created_at > limit_at then
                verdict := 'stale';
            else
                select case d.verdict when 'deleted' then 'applied' when 'missing' then 'nobody' else d.verdict end into verdict
                  from chil_delete_account(p_tenant, o_user_id, p_event, p_receipt, 'provider', p_now, p_pepper) as d;
            end if;
        elsif exists (
            select from provider_event x
             where x.tenant_id = p_tenant and x.provider_id = e.provider_id and x.subject = e.subject
               and x.kind in ('email-enabled', 'email-disabled') and x.applied_at is not null and x.happened_at > e.happened_at
        ) then
            verdict := 'stale';
        else
            update identity x set relay_enabled = e.kind = 'email-enabled'
             where x.tenant_id = p_tenant and x.provider_id = e.provider_id and x.subject = e.subject;
            verdict := 'applied';
        end if;

        -- Nothing is kept of a person who is not here.
        update provider_event x
           set applied_at = p_now, outcome = verdict, subject = case verdict when 'nobody' then '' else x.subject end
         where x.tenant_id = p_tenant and x.event_id = p_event;
        -- The end of an account has written its own row, by the same number.
        if not (e.kind = 'account-delete' and verdict = 'applied') then
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                values (
                    p_tenant, p_event, p_now, 'service', 'provider', 'provider.event', o_user_id::text,
                    concat_ws(': ', e.kind, verdict, note)
                );
        end if;
    end
    $$;

grant execute on function
    chil_take_event(bigint, bigint, bigint, bytea, text, text, boolean, timestamptz, timestamptz),
    chil_apply_event(bigint, bigint, bigint, bigint, bytea, timestamptz, bytea)
    to chil_service;
