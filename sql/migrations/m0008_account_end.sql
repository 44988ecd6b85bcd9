-- The end of an account, and of a provider's token: as in m0003_decisions, one function an operation, one row an answer.
--
-- Locks: user, work, print job, drawing, image, quota (drawings, storage_bytes, users, prints). Whoever adds something of a user's holds the user
-- against it (`for key share`, or the foreign key's own), so nothing is added to an account while it ends, and nothing after.

-- What an event says of a person is found by the person. The subject of a deleted account is blanked; that the event came is kept, so
-- that it is not acted on twice.
create index provider_event_of_subject on provider_event (tenant_id, provider_id, subject);
grant update (subject) on provider_event to chil_service, chil_operator;

-- The audit outlives the account, so what it has of users is numbers alone. Addresses are with the sessions, and go with them.
update audit set address = null where actor_kind = 'user';

-- A job that a printer had when its owner was deleted: to be cancelled there, by work of kind `cancel`. Gone when that ends.
create table print_cancellation (
    tenant_id     bigint  not null,
    job_id        bigint  not null,
    printer_id    bigint  not null,
    remote_job_id text    not null,
    constraint print_cancellation_pkey primary key (tenant_id, job_id)
);
alter table print_cancellation add constraint print_cancellation_printer_fkey
    foreign key (tenant_id, printer_id) references printer (tenant_id, printer_id);
alter table print_cancellation enable row level security;
create policy own_rows on print_cancellation to chil_service
    using (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
    with check (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint);
create policy operator_rows on print_cancellation to chil_operator using (true) with check (true);
grant select, insert, delete on print_cancellation to chil_service;
grant select, insert on print_cancellation to chil_operator;
alter table work
    drop constraint work_kind_check,
    add constraint work_kind_check check (kind in ('print', 'exchange', 'revoke', 'event', 'cancel'));

-- Queues the revocation of a provider's token, which was sealed for identity.sealed_token. p_revocation is also the number of its work and
-- of the audit row at its end.
create function chil_queue_revocation(
    p_tenant bigint, p_revocation bigint, p_deletion bigint, p_provider bigint, p_client text, p_sealed_token bytea, p_now timestamptz
) returns void
    language sql volatile
    as $$
        insert into token_revocation (tenant_id, revocation_id, deletion_id, provider_id, client_id, sealed_token, updated_at)
            values (p_tenant, p_revocation, p_deletion, p_provider, p_client, p_sealed_token, p_now);
        insert into work (tenant_id, work_id, kind, subject_id, run_at) values (p_tenant, p_revocation, 'revoke', p_revocation, now())
    $$;

-- Writes down that nothing could be revoked: a code gave no token, though the person's consent stands at the provider.
create function chil_fail_revocation(
    p_tenant bigint, p_revocation bigint, p_deletion bigint, p_provider bigint, p_client text, p_fault text, p_now timestamptz
) returns void
    language sql volatile
    as $$
        insert into token_revocation (tenant_id, revocation_id, deletion_id, provider_id, client_id, state, fault, updated_at)
            values (p_tenant, p_revocation, p_deletion, p_provider, p_client, 'failed', p_fault, p_now);
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
            values (p_tenant, p_revocation, p_now, 'service', 'worker', 'token.revoke', p_revocation::text, concat_ws(': ', 'failed', p_fault))
    $$;

-- What is known of a subject whose account has ended. p_pepper: 32 bytes that are not in this database (ChilAuth's SubjectDigests).
create function chil_subject_digest(p_pepper bytea, p_tenant bigint, p_provider bigint, p_subject text) returns bytea
    language sql stable
    as $$ select sha256(p_pepper || sha256(convert_to(p_tenant || ' ' || p_provider || ' ' || p_subject, 'UTF8'))) $$;

-- Deletes a user and all that hangs on one, gives static quotas back, queues the revocation of what the providers gave, and tells running
-- services. p_receipt: SHA-256 of the receipt. p_pepper: see chil_subject_digest; identity tokens from before sign nobody in after it.
--   verdict: deleted | missing | guest (the tenant's guest is nobody's account)
-- Prints are not given back, but for those that no printer has yet: the paper is used. The audit row is the caller's to write, who knows
-- who asked; here only the provider's is.
-- Revocations are numbered p_deletion, then (two tokens of one user are rare) by negative numbers, which nothing else has. A code that
-- waits for its exchange waits on, without the person. A provider that deleted the person itself has no token left to revoke.
create function chil_delete_account(
    p_tenant bigint, p_user bigint, p_deletion bigint, p_receipt bytea, p_origin text, p_now timestamptz, p_pepper bytea,
    out verdict text, out o_drawings bigint
)
    language plpgsql volatile
    as $$
    #variable_conflict use_column
    declare
        held record;
        held_count bigint := 0;
        revocation bigint;
        counted_drawings bigint;
        gone_bytes bigint;
        gone_objects bigint[];
        waiting_jobs bigint[];
        other_jobs bigint[];
        job bigint;
        job_ids bigint[];
    begin
        o_drawings := 0;
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = p_user for update;
        if not found then
            verdict := 'missing';
            return;
        end if;
        if exists (select from tenant t where t.tenant_id = p_tenant and t.guest_user_id = p_user and t.serves_guest) then
            verdict := 'guest';
            return;
        end if;

        for held in
            select i.provider_id, i.subject, i.transferred_from, i.client_id, i.token_client_id, i.sealed_token, i.token_state,
                   i.token_fault
              from identity i
             where i.tenant_id = p_tenant and i.user_id = p_user
             order by i.provider_id, i.subject
               for update
        loop
            revocation := case held_count when 0 then p_deletion else -(p_deletion * 64 + held_count) end;
            held_count := held_count + 1;
            if p_origin = 'provider' then
                delete from code_exchange e
                 where e.tenant_id = p_tenant and e.provider_id = held.provider_id and e.subject = held.subject;
            elsif held.sealed_token is not null then
                perform chil_queue_revocation(
                    p_tenant, revocation, p_deletion, held.provider_id, held.token_client_id, held.sealed_token, p_now
                );
            elsif held.token_state = 'failed' then
                perform chil_fail_revocation(
                    p_tenant, revocation, p_deletion, held.provider_id, coalesce(held.client_id, ''), held.token_fault, p_now
                );
            end if;
            update code_exchange e
               set subject = '', deletion_id = p_deletion,
                   subject_digest = chil_subject_digest(p_pepper, p_tenant, held.provider_id, held.subject)
             where e.tenant_id = p_tenant and e.provider_id = held.provider_id and e.subject = held.subject;
            insert into ended_subject as x (tenant_id, digest, ended_at)
            select p_tenant, chil_subject_digest(p_pepper, p_tenant, held.provider_id, one.subject), p_now
              from unnest(array[held.subject, held.transferred_from]) as one (subject)
             where one.subject is not null
            on conflict on constraint ended_subject_pkey do update set ended_at = greatest(x.ended_at, excluded.ended_at);
            update provider_event e set subject = ''
             where e.tenant_id = p_tenant and e.provider_id = held.provider_id and e.subject = held.subject;
            delete from subject_transfer s
             where s.tenant_id = p_tenant and s.provider_id = held.provider_id
               and s.subject in (held.subject, held.transferred_from);
        end loop;

        -- A worker that holds one of these finds its lease gone before its next step, and does nothing more. The queue may lie on another
        -- machine than the tenant: no statement joins them.
        job_ids := array(select j.job_id from print_job j where j.tenant_id = p_tenant and j.owner_id = p_user);
        delete from work w where w.tenant_id = p_tenant and w.work_id = any (job_ids);
        -- What a printer has already it is asked to drop. The work has the job's number, negative: nothing else has that.
        insert into print_cancellation (tenant_id, job_id, printer_id, remote_job_id)
        select p_tenant, j.job_id, j.printer_id, j.remote_job_id
          from print_job j
         where j.tenant_id = p_tenant and j.owner_id = p_user and j.remote_job_id is not null
           and j.state in ('submitting', 'sent', 'printing', 'blocked', 'canceling', 'outcomeUnknown');
        job_ids := array(select c.job_id from print_cancellation c where c.tenant_id = p_tenant and c.job_id = any (job_ids));
        insert into work (tenant_id, work_id, kind, subject_id, run_at) select p_tenant, -one, 'cancel', one, now() from unnest(job_ids) as one;
        select array_agg(distinct j.job_id) filter (where j.state = 'queued'), array_agg(distinct j.job_id) filter (where j.state <> 'queued')
          into waiting_jobs, other_jobs
          from quota_reservation r
          join print_job j on j.tenant_id = p_tenant and j.job_id = r.reservation_id
         where r.tenant_id = p_tenant and j.owner_id = p_user;
        delete from print_job j where j.tenant_id = p_tenant and j.owner_id = p_user;
        with gone as (delete from drawing d where d.tenant_id = p_tenant and d.owner_id = p_user returning d.status)
        select count(*), count(*) filter (where g.status <> 'FAILED') into o_drawings, counted_drawings from gone g;
        with gone as (
            delete from image i where i.tenant_id = p_tenant and i.owner_id = p_user returning i.byte_count, i.staged_until, i.object_id
        )
        select coalesce(sum(g.byte_count) filter (where g.staged_until is null), 0), array_agg(g.object_id)
          into gone_bytes, gone_objects from gone g;
        perform chil_discard_objects(p_tenant, gone_objects);
        -- What was agreed to ends with the account; that it was is kept for a while.
        insert into consent (tenant_id, user_id, scope, sequence, consent_id, is_given, at)
        select p_tenant, p_user, c.scope, c.sequence + 1, p_deletion, false, p_now
          from consent c
         where c.tenant_id = p_tenant and c.user_id = p_user and c.is_given
           and not exists (
                select from consent n
                 where n.tenant_id = p_tenant and n.user_id = p_user and n.scope = c.scope and n.sequence > c.sequence
               );
        -- What a guardian asked for is done with it.
        update erasure_request e
           set state = 'done', deletion_id = p_deletion, closed_at = p_now, reference = null
         where e.tenant_id = p_tenant and e.user_id = p_user and e.state = 'open';
        delete from user_event v where v.tenant_id = p_tenant and v.user_id = p_user;
        delete from app_user u where u.tenant_id = p_tenant and u.user_id = p_user;  -- sessions and identities go with it

        if counted_drawings > 0 then
            perform chil_give_back(p_tenant, 'drawings', null, counted_drawings);
        end if;
        if gone_bytes > 0 then
            perform chil_give_back(p_tenant, 'storage_bytes', null, gone_bytes);
        end if;
        perform chil_give_back(p_tenant, 'users', null, 1);
        foreach job in array coalesce(waiting_jobs, '{}') loop
            perform chil_settle(p_tenant, job, 'print_jobs', 0);
            perform chil_settle(p_tenant, job, 'printed_pages', 0);
        end loop;
        foreach job in array coalesce(other_jobs, '{}') loop
            perform chil_settle(p_tenant, job, 'print_jobs', null);
            perform chil_settle(p_tenant, job, 'printed_pages', null);
        end loop;
        delete from quota_use u where u.tenant_id = p_tenant and u.subject_id = p_user;

        insert into account_deletion (tenant_id, deletion_id, receipt, origin, deleted_at, drawings, user_id)
            values (p_tenant, p_deletion, p_receipt, p_origin, p_now, o_drawings, p_user);
        if p_origin = 'provider' then
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                values (p_tenant, p_deletion, p_now, 'service', 'provider', 'account.delete', p_user::text, o_drawings || ' drawings');
        end if;
        perform chil_emit(p_tenant, p_deletion, 'user.deleted', p_user::text, '"userId":' || p_user, p_now);
        perform pg_notify('chil', 'user ' || p_tenant || ' ' || p_user);
        verdict := 'deleted';
    end
    $$;

-- The end of a revocation, or of one attempt, by the worker that holds its work.
--   p_state: revoked | failed (the token is wiped, the work is done) | pending (tried again in p_again_ms)
-- False: the lease is another's now, nothing was written.
create function chil_end_revocation(
    p_tenant bigint, p_work bigint, p_fence bigint, p_revocation bigint, p_state text, p_fault text, p_again_ms bigint, p_now timestamptz
) returns boolean
    language plpgsql volatile
    as $$
    begin
        if p_state = 'pending' then
            update work w set run_at = now() + p_again_ms * interval '1 millisecond'
             where w.tenant_id = p_tenant and w.work_id = p_work and w.fence = p_fence;
        else
            delete from work w where w.tenant_id = p_tenant and w.work_id = p_work and w.fence = p_fence;
        end if;
        if not found then
            return false;
        end if;
        update token_revocation r
           set state = p_state, fault = p_fault, attempts = r.attempts + 1, updated_at = p_now,
               sealed_token = case p_state when 'pending' then r.sealed_token end
         where r.tenant_id = p_tenant and r.revocation_id = p_revocation and r.state = 'pending';
        if found and p_state <> 'pending' then
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                values (p_tenant, p_work, p_now, 'service', 'worker', 'token.revoke', p_revocation::text, concat_ws(': ', p_state, p_fault));
        end if;
        return true;
    end
    $$;

grant execute on function
    chil_queue_revocation(bigint, bigint, bigint, bigint, text, bytea, timestamptz),
    chil_fail_revocation(bigint, bigint, bigint, bigint, text, text, timestamptz),
    chil_subject_digest(bytea, bigint, bigint, text),
    chil_delete_account(bigint, bigint, bigint, bytea, text, timestamptz, bytea)
    to chil_service, chil_operator;
grant execute on function
    chil_end_revocation(bigint, bigint, bigint, bigint, text, text, bigint, timestamptz)
    to chil_service;
