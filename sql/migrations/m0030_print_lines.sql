-- Printing that tenants, people and processes share: whose turn a printer is, what people want of a job that a worker holds, what was last
-- seen of a printer, and printers that one tenant lends another.
--
-- Why the line is of the queue's rows: a real printer prints for several tenants and is served by several processes, and the queue is what
-- both have in common. So an account's or a tenant's end takes its places in line with it, and the end of a job hands its turn on.

alter table printer
    drop constraint printer_state_check,
    add constraint printer_state_check check (state in ('enabled', 'disabled', 'draining', 'removed')),
    add column lender_tenant_id  bigint,                    -- it is this tenant's, and lent; null: it is the tenant's own
    add column lender_printer_id bigint,
    add column lender_state      text collate "C",          -- that printer's own, as its tenant's operator has set it
    add column seen_at           timestamptz,               -- when a worker last asked it
    add column seen_state        text collate "C",
    add column seen_reasons      text,                      -- one a line, in the words of IPP
    add column seen_media        text,                      -- one a line
    add constraint printer_lender_check check ((lender_tenant_id is null) = (lender_printer_id is null)),
    add constraint printer_lender_state_check check (lender_state in ('enabled', 'disabled', 'draining', 'removed')),
    add constraint printer_seen_state_check check (seen_state in ('idle', 'processing', 'stopped', 'unreachable'));

-- To whom a printer is lent, by the printer there.
create table printer_loan (
    tenant_id           bigint      not null,
    printer_id          bigint      not null,
    borrower_tenant_id  bigint      not null,
    borrower_printer_id bigint      not null,
    created_at          timestamptz not null,
    constraint printer_loan_pkey primary key (tenant_id, printer_id, borrower_tenant_id)
);
alter table printer_loan add constraint printer_loan_printer_fkey
    foreign key (tenant_id, printer_id) references printer (tenant_id, printer_id);
alter table printer_loan enable row level security;
create policy own_rows on printer_loan to chil_service
    using (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
    with check (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint);
create policy operator_rows on printer_loan to chil_operator using (true) with check (true);

alter table print_job
    add column expires_at timestamptz,                      -- how long it may wait for its printer
    add column wanted_at  timestamptz,                      -- since when it is to be canceled
    add column run_from   integer not null default 1;       -- the event that it began with, or was last begun again

-- place_…: the real printer of a print, and for whom. turn: its tenant's place in that printer's line, own_turn: its person's among those of
-- the tenant. turn_from: it is not to be called before. turn_until: it has the printer, until then.
alter table work
    add column place_tenant_id bigint,
    add column place_id        bigint,
    add column place_owner_id  bigint,
    add column turn            bigint,
    add column own_turn        bigint,
    add column turn_from       timestamptz,
    add column turn_until      timestamptz;
create index work_place on work (place_tenant_id, place_id, turn, work_id) where place_id is not null;

-- The line at a printer is one at a time's to change; as the last lock of a transaction.
create function chil_place_lock(p_place_tenant bigint, p_place bigint) returns bigint
    language sql immutable
    as $$ select hashtextextended('place ' || p_place, p_place_tenant) $$;

-- Puts a print at the end of its line. Turns go round: whoever has nothing there comes next after those who are called, whoever has much
-- after all that is there of them. Turns are the tenant's, not the job's: who of a tenant's people uses one is told by own_turn.
create function chil_join_line(p_tenant bigint, p_work bigint, p_place_tenant bigint, p_place bigint, p_owner bigint) returns void
    language plpgsql volatile
    as $$
    declare
        line record;
    begin
        perform pg_advisory_xact_lock(chil_place_lock(p_place_tenant, p_place));
        select min(w.turn) as first, max(w.turn) filter (where w.tenant_id = p_tenant) as last,
               min(w.own_turn) filter (where w.tenant_id = p_tenant) as own_first,
               max(w.own_turn) filter (where w.tenant_id = p_tenant and w.place_owner_id = p_owner) as own_last
          into line
          from work w
         where w.place_tenant_id = p_place_tenant and w.place_id = p_place
           and (w.tenant_id, w.work_id) <> (p_tenant, p_work);
        update work w
           set place_tenant_id = p_place_tenant, place_id = p_place, place_owner_id = p_owner,
               turn = greatest(line.first, line.last + 1, 1), own_turn = greatest(line.own_first, line.own_last + 1, 1),
               turn_from = '-infinity', turn_until = null
         where w.tenant_id = p_tenant and w.work_id = p_work;
    end
    $$;

-- Queues a print. p_place: the real printer, of whichever tenant.
create function chil_queue_print(
    p_tenant bigint, p_job bigint, p_printer bigint, p_place_tenant bigint, p_place bigint, p_owner bigint
) returns void
    language plpgsql volatile
    as $$
    begin
        insert into work (tenant_id, work_id, kind, subject_id, run_at, lane)
            values (p_tenant, p_job, 'print', p_job, now(), p_printer);
        perform chil_join_line(p_tenant, p_job, p_place_tenant, p_place, p_owner);
    end
    $$;

-- Whose turn it is at a printer that nobody has: a row of the queue, locked. Rows that somebody writes just now are passed over; they ask for
-- themselves. The caller holds chil_place_lock. No number: nobody waits.
create function chil_next_in_line(p_place_tenant bigint, p_place bigint, out o_tenant bigint, out o_work bigint)
    language plpgsql volatile
    as $$
    declare
        first_work bigint;
        first_turn bigint;
        own_turn_number bigint;
    begin
        select w.tenant_id, w.work_id, w.turn into o_tenant, first_work, first_turn
          from work w
         where w.place_tenant_id = p_place_tenant and w.place_id = p_place and w.turn_from <= now()
         order by w.turn, w.work_id limit 1
           for update skip locked;
        if not found then
            return;
        end if;
        select w.work_id, w.turn into o_work, own_turn_number
          from work w
         where w.place_tenant_id = p_place_tenant and w.place_id = p_place and w.tenant_id = o_tenant and w.turn_from <= now()
         order by w.own_turn, w.work_id limit 1
           for update skip locked;
        if o_work is distinct from first_work then
            update work w set turn = own_turn_number where w.tenant_id = o_tenant and w.work_id = first_work;
            update work w set turn = first_turn where w.tenant_id = o_tenant and w.work_id = o_work;
        end if;
    end
    $$;

-- Whether somebody has the printer.
create function chil_place_is_held(p_place_tenant bigint, p_place bigint) returns boolean
    language plpgsql stable
    as $$
    begin
        return exists (
            select from work w where w.place_tenant_id = p_place_tenant and w.place_id = p_place and w.turn_until > now()
        );
    end
    $$;

-- Calls the next in line, if nobody has the printer, after a while: its row is due then, unless a worker holds it already. True: somebody
-- was called. Whoever is called and does not come loses the turn after half a minute.
create function chil_pass_turn(p_place_tenant bigint, p_place bigint, p_after interval) returns boolean
    language plpgsql volatile
    as $$
    declare
        called record;
    begin
        perform pg_advisory_xact_lock(chil_place_lock(p_place_tenant, p_place));
        if chil_place_is_held(p_place_tenant, p_place) then
            return false;
        end if;
        select n.o_tenant, n.o_work into called from chil_next_in_line(p_place_tenant, p_place) as n;
        if called.o_work is null then
            return false;
        end if;
        update work w
           set turn_until = now() + p_after + interval '30 seconds',
               run_at = case when w.leased_by is null then now() + p_after else w.run_at end
         where w.tenant_id = called.o_tenant and w.work_id = called.o_work;
        return true;
    end
    $$;

-- Asks for the printer, by the worker that holds the print's row. False: another has it, or is called before; o_passed: called just now.
create function chil_take_turn(
    p_tenant bigint, p_work bigint, p_place_tenant bigint, p_place bigint, p_lease interval, out o_taken boolean, out o_passed boolean
)
    language plpgsql volatile
    as $$
    begin
        o_passed := false;
        perform pg_advisory_xact_lock(chil_place_lock(p_place_tenant, p_place));
        update work w set turn_from = '-infinity'
         where w.tenant_id = p_tenant and w.work_id = p_work and w.turn_from > '-infinity';
        o_taken := exists (select from work w where w.tenant_id = p_tenant and w.work_id = p_work and w.turn_until > now());
        if not o_taken and not chil_place_is_held(p_place_tenant, p_place) then
            select n.o_tenant = p_tenant and n.o_work = p_work into o_taken from chil_next_in_line(p_place_tenant, p_place) as n;
            if not o_taken then
                o_passed := chil_pass_turn(p_place_tenant, p_place, interval '0');
            end if;
        end if;
        if o_taken then
            update work w set turn_from = 'infinity', turn_until = now() + p_lease
             where w.tenant_id = p_tenant and w.work_id = p_work;
        end if;
    end
    $$;

-- What a job's person, or an operator (p_owner null), wants of it while it is under way: that it ends. The row of the queue is made due, and
-- not taken from a worker that holds it: that one reads it with its next step.
--   verdict: wanted | over (it has ended: o_state) | missing
create function chil_cancel_print_job(
    p_tenant bigint, p_owner bigint, p_job bigint, p_actor_kind text, p_actor text, p_audit bigint, p_request text, p_now timestamptz,
    out verdict text, out o_state text
)
    language plpgsql volatile
    as $$
    begin
        perform from work w where w.tenant_id = p_tenant and w.work_id = p_job for update;
        select j.state into o_state
          from print_job j
         where j.tenant_id = p_tenant and j.job_id = p_job and (p_owner is null or j.owner_id = p_owner)
           for update;
        if not found then
            verdict := 'missing';
            return;
        elsif o_state in ('completed', 'failed', 'canceled', 'expired', 'outcomeUnknown') then
            verdict := 'over';
            return;
        end if;
        verdict := 'wanted';
        update print_job j set wanted_at = p_now where j.tenant_id = p_tenant and j.job_id = p_job and j.wanted_at is null;
        if found then
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
                values (p_tenant, p_audit, p_now, p_actor_kind, p_actor, 'print-job.cancel', p_job::text, o_state, p_request);
        end if;
        update work w set run_at = now() where w.tenant_id = p_tenant and w.work_id = p_job and w.leased_by is null;
    end
    $$;

-- Begins a job again that has ended otherwise than on paper, or of which nobody knows. p_was: the job machine that was asked, p_machine: as
-- it is then. Its quotas are reserved anew, as chil_create_print_job does.
--   verdict: retried | missing | state (o_state) | changed (the machine is another by now: ask again) | drawing | printer | disabled
--            | quota … | consent …
create function chil_retry_print_job(
    p_tenant bigint, p_owner bigint, p_job bigint, p_was text, p_machine text, p_expires_at timestamptz, p_actor_kind text, p_actor text,
    p_audit bigint, p_request text, p_now timestamptz, out verdict text, out o_state text, out o_resets_at timestamptz
)
    language plpgsql volatile
    as $$
    declare
        lease_end constant timestamptz := greatest(p_expires_at, p_now + interval '6 days') + interval '1 day';
        job record;
        target record;
        refusal text;
        missing_notice integer;
        event_number integer;
    begin
        select j.owner_id, j.drawing_id, j.printer_id, j.page_count, coalesce(j.drawing_ids, array[j.drawing_id]) as drawing_ids into job
          from print_job j
         where j.tenant_id = p_tenant and j.job_id = p_job and (p_owner is null or j.owner_id = p_owner);
        if not found then
            verdict := 'missing';
            return;
        end if;
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = job.owner_id for key share;
        select j.state, j.machine into target
          from print_job j where j.tenant_id = p_tenant and j.job_id = p_job for update;
        if not found then
            verdict := 'missing';
            return;
        end if;
        o_state := target.state;
        if o_state not in ('failed', 'canceled', 'expired', 'outcomeUnknown') then
            verdict := 'state';
            return;
        elsif target.machine is distinct from p_was then
            verdict := 'changed';
            return;
        end if;
        perform from drawing d
          where d.tenant_id = p_tenant and d.owner_id = job.owner_id and d.drawing_id = any (job.drawing_ids) and d.image_hash is not null;
        if not found then
            verdict := 'drawing';
            return;
        end if;
        select r.state, r.disclosed_to, r.lender_state, r.lender_tenant_id, r.lender_printer_id into target
          from printer r where r.tenant_id = p_tenant and r.printer_id = job.printer_id;
        if not found or target.state = 'removed' or coalesce(target.lender_state, '') = 'removed' then
            verdict := 'printer';
            return;
        elsif target.state <> 'enabled' or coalesce(target.lender_state, 'enabled') <> 'enabled' then
            verdict := 'disabled';
            return;
        end if;
        if target.disclosed_to is not null then
            missing_notice := chil_missing_consent(p_tenant, job.owner_id, 'disclose:' || target.disclosed_to);
            if missing_notice is not null then
                verdict := 'consent ' || missing_notice || ' disclose:' || target.disclosed_to;
                return;
            end if;
        end if;
        refusal := chil_reserve(p_tenant, p_job, 'print_jobs', job.owner_id, job.printer_id, 1, lease_end, p_now);
        if refusal is null then
            refusal := chil_reserve(p_tenant, p_job, 'printed_pages', job.owner_id, job.printer_id, job.page_count, lease_end, p_now);
            if refusal is not null then
                perform chil_settle(p_tenant, p_job, 'print_jobs', 0);
            end if;
        end if;
        if refusal is not null then
            verdict := 'quota ' || refusal;
            o_resets_at := chil_refusal_end(refusal);
            return;
        end if;
        verdict := 'retried';
        update print_job j
           set state = 'queued', reason = null, machine = p_machine, wanted_at = null, expires_at = p_expires_at,
               event_count = j.event_count + 1, run_from = j.event_count + 1, updated_at = p_now
         where j.tenant_id = p_tenant and j.job_id = p_job
        returning j.event_count into event_number;
        insert into print_job_event (tenant_id, job_id, sequence, state, at) values (p_tenant, p_job, event_number, 'queued', p_now);
        perform chil_tell_user(
            p_tenant, job.owner_id, 'print-job.updated',
            '"printJobId":' || p_job || ',"drawingId":' || job.drawing_id || ',"status":"queued"', p_now
        );
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
            values (p_tenant, p_audit, p_now, p_actor_kind, p_actor, 'print-job.retry', p_job::text, o_state, p_request);
        perform chil_queue_print(
            p_tenant, p_job, job.printer_id, coalesce(target.lender_tenant_id, p_tenant), coalesce(target.lender_printer_id, job.printer_id),
            job.owner_id
        );
    end
    $$;

-- The same behind the gate of Idempotency-Key.
create function chil_once_retry_print_job(
    p_tenant bigint, p_owner bigint, p_job bigint, p_was text, p_machine text, p_expires_at timestamptz, p_actor_kind text, p_actor text,
    p_audit bigint, p_request text, p_now timestamptz, p_key bytea, p_body bytea, p_key_expires_at timestamptz,
    out verdict text, out o_state text, out o_resets_at timestamptz, out o_subject bigint
)
    language plpgsql volatile
    as $$
    begin
        -- The audit's number stands for this retry: the job's own is the same for each.
        select o.verdict, o.o_subject into verdict, o_subject
          from chil_once(p_tenant, p_owner, p_key, p_body, p_audit, null, p_key_expires_at, p_now) as o;
        if verdict <> 'new' then
            return;
        end if;
        select r.verdict, r.o_state, r.o_resets_at into verdict, o_state, o_resets_at
          from chil_retry_print_job(
                p_tenant, p_owner, p_job, p_was, p_machine, p_expires_at, p_actor_kind, p_actor, p_audit, p_request, p_now
               ) as r;
        if verdict <> 'retried' then
            perform chil_once_forget(p_tenant, p_owner, p_key, p_audit);
        end if;
    end
    $$;

-- A person's word on a job of which nobody knows how it ended. p_was, p_machine: as above; p_state, p_reason: what the job is then.
--   verdict: resolved | missing | state (o_state) | changed
create function chil_resolve_print_job(
    p_tenant bigint, p_owner bigint, p_job bigint, p_was text, p_machine text, p_state text, p_reason text, p_actor_kind text, p_actor text,
    p_audit bigint, p_request text, p_now timestamptz, out verdict text, out o_state text
)
    language plpgsql volatile
    as $$
    declare
        job record;
    begin
        select j.state, j.machine, j.owner_id, j.drawing_id, j.event_count + 1 as event_number into job
          from print_job j
         where j.tenant_id = p_tenant and j.job_id = p_job and (p_owner is null or j.owner_id = p_owner)
           for update;
        if not found then
            verdict := 'missing';
            return;
        end if;
        o_state := job.state;
        if o_state <> 'outcomeUnknown' then
            verdict := 'state';
            return;
        elsif job.machine is distinct from p_was then
            verdict := 'changed';
            return;
        end if;
        verdict := 'resolved';
        update print_job j
           set state = p_state, reason = p_reason, machine = p_machine, event_count = job.event_number, updated_at = p_now
         where j.tenant_id = p_tenant and j.job_id = p_job;
        insert into print_job_event (tenant_id, job_id, sequence, state, reason, at)
            values (p_tenant, p_job, job.event_number, p_state, p_reason, p_now);
        perform chil_tell_user(
            p_tenant, job.owner_id, 'print-job.updated',
            '"printJobId":' || p_job || ',"drawingId":' || job.drawing_id || ',"status":"' || p_state || '"'
                || coalesce(',"reason":' || to_json(p_reason), ''),
            p_now
        );
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
            values (
                p_tenant, p_audit, p_now, p_actor_kind, p_actor, 'print-job.resolve', p_job::text, concat_ws(': ', p_state, p_reason), p_request
            );
    end
    $$;

-- What a print has reserved of one printer's limits it has of the other's from now on. It is no new print, and an operator's word: the
-- other's limit may be passed by it, and then refuses what comes afterwards.
create function chil_move_reservation(p_tenant bigint, p_job bigint, p_from bigint, p_to bigint, p_now timestamptz) returns void
    language plpgsql volatile
    as $$
    declare
        r record;
        amount bigint;
        had bigint;
        ends timestamptz;
        told_to integer;
        told_when timestamptz;
    begin
        for r in
            select x.metric, x.window_kind, x.amount, x.resets_at
              from quota_reservation x
             where x.tenant_id = p_tenant and x.reservation_id = p_job and x.scope = 'printer' and x.subject_id = p_from
             order by chil_metric_rank(x.metric::text), chil_rank(x.scope, x.window_kind)
        loop
            perform pg_advisory_xact_lock_shared(chil_quota_lock(p_tenant, r.metric::text));
            amount := r.amount;
            update quota_use u set used = greatest(u.used - amount, 0)
             where u.tenant_id = p_tenant and u.subject_id = p_from and u.metric = r.metric and u.scope = 'printer'
               and u.window_kind = r.window_kind and u.resets_at = r.resets_at;
            select c.o_used, c.o_resets_at, c.o_told, c.o_told_at
              into had, ends, told_to, told_when
              from chil_counter(p_tenant, r.metric::text, 'printer', r.window_kind::text, p_to, p_now) c;
            update quota_use u set used = had + amount, resets_at = ends, told = told_to, told_at = told_when
             where u.tenant_id = p_tenant and u.subject_id = p_to and u.metric = r.metric and u.scope = 'printer'
               and u.window_kind = r.window_kind;
            update quota_reservation x set subject_id = p_to, resets_at = ends
             where x.tenant_id = p_tenant and x.reservation_id = p_job and x.metric = r.metric and x.scope = 'printer'
               and x.window_kind = r.window_kind;
        end loop;
    end
    $$;

-- Moves the prints that no printer has yet to another. Whoever looks at one just now loses it, before anything is sent. Answers how many.
create function chil_move_print_jobs(
    p_tenant bigint, p_from bigint, p_to bigint, p_place_tenant bigint, p_place bigint, p_now timestamptz
) returns bigint
    language plpgsql volatile
    as $$
    declare
        waiting record;
        moved bigint := 0;
    begin
        for waiting in
            select j.job_id, j.owner_id
              from print_job j
             where j.tenant_id = p_tenant and j.printer_id = p_from and j.state = 'queued'
             order by j.job_id
        loop
            update work w
               set lane = p_to, fence = w.fence + 1, run_at = now(), leased_by = null, turn_until = null
             where w.tenant_id = p_tenant and w.work_id = waiting.job_id;
            continue when not found;
            update print_job j set printer_id = p_to, updated_at = p_now
             where j.tenant_id = p_tenant and j.job_id = waiting.job_id and j.state = 'queued';
            if found then
                perform chil_join_line(p_tenant, waiting.job_id, p_place_tenant, p_place, waiting.owner_id);
                perform chil_move_reservation(p_tenant, waiting.job_id, p_from, p_to, p_now);
                moved := moved + 1;
            else
                -- It is at the printer since; its worker goes on when its row is due.
                update work w set lane = p_from where w.tenant_id = p_tenant and w.work_id = waiting.job_id;
            end if;
        end loop;
        return moved;
    end
    $$;

-- Looks at all prints that wait for a printer now: something about it has changed.
create function chil_wake_prints(p_place_tenant bigint, p_place bigint) returns void
    language plpgsql volatile
    as $$
    begin
        update work w set run_at = now()
         where w.place_tenant_id = p_place_tenant and w.place_id = p_place and w.leased_by is null;
    end
    $$;

grant update (wanted_at, expires_at, run_from) on print_job to chil_service;
grant update (lane, place_tenant_id, place_id, place_owner_id, turn, own_turn, turn_from, turn_until) on work to chil_service;
grant update (seen_at, seen_state, seen_reasons, seen_media) on printer to chil_service;

grant select, insert, delete on printer_loan to chil_operator;
grant select on printer_loan to chil_service;
grant update (kind, lender_tenant_id, lender_printer_id, lender_state) on printer to chil_operator;
grant update (state, reason, machine, event_count, updated_at, wanted_at, expires_at, run_from, printer_id) on print_job to chil_operator;
grant insert on print_job_event, user_event to chil_operator;
grant update (subject_id, resets_at) on quota_reservation to chil_operator;
grant update (leased_by, lane, place_tenant_id, place_id, place_owner_id, turn, own_turn, turn_from, turn_until) on work to chil_operator;
grant execute on function
    chil_place_lock(bigint, bigint),
    chil_place_is_held(bigint, bigint),
    chil_join_line(bigint, bigint, bigint, bigint, bigint),
    chil_queue_print(bigint, bigint, bigint, bigint, bigint, bigint),
    chil_cancel_print_job(bigint, bigint, bigint, text, text, bigint, text, timestamptz),
    chil_retry_print_job(bigint, bigint, bigint, text, text, timestamptz, text, text, bigint, text, timestamptz),
    chil_resolve_print_job(bigint, bigint, bigint, text, text, text, text, text, text, bigint, text, timestamptz)
    to chil_service, chil_operator;
grant execute on function
    chil_next_in_line(bigint, bigint),
    chil_pass_turn(bigint, bigint, interval),
    chil_take_turn(bigint, bigint, bigint, bigint, interval),
    chil_once_retry_print_job(
        bigint, bigint, bigint, text, text, timestamptz, text, text, bigint, text, timestamptz, bytea, bytea, timestamptz
    )
    to chil_service;
grant execute on function
    chil_move_reservation(bigint, bigint, bigint, bigint, timestamptz),
    chil_move_print_jobs(bigint, bigint, bigint, bigint, bigint, timestamptz),
    chil_wake_prints(bigint, bigint),
    chil_tell_user(bigint, bigint, text, text, timestamptz)
    to chil_operator;
