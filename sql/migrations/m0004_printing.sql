-- Accepting a print job and moving it on: as in m0003_decisions, one function an operation, one row an answer.

-- A print job with its history's first event, its row in the queue and its place in the printer's line. p_printer null: the tenant's
-- default. p_expires_at: how long it may wait.
-- p_drawings: a page each, in this order. Its quotas are reserved until it ends: the job, and its pages.
--   verdict: created | drawing (one is none of this owner's) | image n (the one at place n, from 0, has none yet) | moving n (it is a GIF)
--            | large (together they have too many bytes) | printer (none) | disabled
--            | quota … (what chil_take says of the limit that refused; o_resets_at: when that begins anew)
--            | consent … (the notice and the scope of what is missing: the printer is a party's)
create function chil_create_print_job(
    p_tenant bigint, p_owner bigint, p_job bigint, p_drawings bigint[], p_printer bigint, p_scale text, p_copies integer, p_paper text,
    p_request text, p_address text, p_expires_at timestamptz, p_now timestamptz,
    out verdict text, out o_printer bigint, out o_resets_at timestamptz
)
    language plpgsql volatile
    as $$
    #variable_conflict use_column
    declare
        -- Longer than a job lives; while its work is in the queue, its lease does not end anyhow.
        lease_end constant timestamptz := greatest(p_expires_at, p_now + interval '6 days') + interval '1 day';
        -- Pictures of a job are in memory at once while its pages are drawn.
        bytes_max constant bigint := 67108864;
        page_number constant integer := p_copies * cardinality(p_drawings);
        bytes_sum bigint := 0;
        shown_bytes bigint;
        shown_hash bytea;
        shown_type text;
        printer_state text;
        lender_state text;
        place_tenant bigint;
        place bigint;
        refusal text;
        party text;
        missing_notice integer;
    begin
        for place in 1..cardinality(p_drawings) loop
            select d.image_hash, d.media_type, d.byte_count into shown_hash, shown_type, shown_bytes
              from drawing d
             where d.tenant_id = p_tenant and d.owner_id = p_owner and d.drawing_id = p_drawings[place];
            if not found then
                verdict := 'drawing';
                return;
            elsif shown_hash is null then
                verdict := 'image ' || place - 1;
                return;
            elsif shown_type = 'image/gif' then
                verdict := 'moving ' || place - 1;
                return;
            end if;
            bytes_sum := bytes_sum + shown_bytes;
        end loop;
        if bytes_sum > bytes_max then
            verdict := 'large';
            return;
        end if;
        if p_printer is null then
            select r.printer_id, r.state, r.disclosed_to, coalesce(r.lender_state, 'enabled'),
                   coalesce(r.lender_tenant_id, p_tenant), coalesce(r.lender_printer_id, r.printer_id)
              into o_printer, printer_state, party, lender_state, place_tenant, place
              from printer r
             where r.tenant_id = p_tenant and r.is_default and r.state <> 'removed';
        else
            select r.printer_id, r.state, r.disclosed_to, coalesce(r.lender_state, 'enabled'),
                   coalesce(r.lender_tenant_id, p_tenant), coalesce(r.lender_printer_id, r.printer_id)
              into o_printer, printer_state, party, lender_state, place_tenant, place
              from printer r
             where r.tenant_id = p_tenant and r.printer_id = p_printer and r.state <> 'removed';
        end if;
        if o_printer is null or lender_state = 'removed' then
            o_printer := null;
            verdict := 'printer';
            return;
        elsif printer_state <> 'enabled' or lender_state <> 'enabled' then
            verdict := 'disabled';
            return;
        end if;
        if party is not null then
            missing_notice := chil_missing_consent(p_tenant, p_owner, 'disclose:' || party);
            if missing_notice is not null then
                verdict := 'consent ' || missing_notice || ' disclose:' || party;
                return;
            end if;
        end if;
        -- Before the quotas, as the end of an account does; else the key of the job's row would hold the user after them.
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = p_owner for key share;
        refusal := chil_reserve(p_tenant, p_job, 'print_jobs', p_owner, o_printer, 1, lease_end, p_now);
        if refusal is null then
            refusal := chil_reserve(p_tenant, p_job, 'printed_pages', p_owner, o_printer, page_number, lease_end, p_now);
            if refusal is not null then
                perform chil_settle(p_tenant, p_job, 'print_jobs', 0);
            end if;
        end if;
        if refusal is null then
            verdict := 'created';
            insert into print_job (
                tenant_id, job_id, owner_id, drawing_id, drawing_ids, printer_id, state, scale, copies, paper_wanted, page_count,
                expires_at, created_at, updated_at
            ) values (
                p_tenant, p_job, p_owner, p_drawings[1], case when cardinality(p_drawings) > 1 then p_drawings end, o_printer, 'queued',
                p_scale, p_copies, p_paper, page_number, p_expires_at, p_now, p_now
            );
            insert into print_job_event (tenant_id, job_id, sequence, state, at) values (p_tenant, p_job, 1, 'queued', p_now);
            perform chil_tell_user(
                p_tenant, p_owner, 'print-job.updated', '"printJobId":' || p_job || ',"drawingId":' || p_drawings[1] || ',"status":"queued"', p_now
            );
        else
            verdict := 'quota ' || refusal;
            o_resets_at := chil_refusal_end(refusal);
        end if;
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id, address)
            values (
                p_tenant,
                case when refusal is null then p_job else chil_refusal_number('print-job.create', p_owner, refusal, p_now) end,
                p_now, 'user', p_owner::text, 'print-job.create', 'drawing ' || array_to_string(p_drawings, ' ') || ' printer ' || o_printer, verdict,
                p_request, p_address
            )
            on conflict do nothing;
        if refusal is null then
            perform chil_queue_print(p_tenant, p_job, o_printer, place_tenant, place, p_owner);
        end if;
    end
    $$;

-- One step of a print job by the worker that holds its work row: new state, remote job, the job machine's text, and when to look again
-- (p_again_ms null: never, the work is done). p_pages: pages that came out, as far as the printer has said. What was reserved is settled
-- when the job ends: given back if no paper was used, cut to the pages that came out if the job broke off, kept if nobody knows.
-- p_told: the type of event that a new state is told by; null: nobody wants to know. The audit's row of a job's end has the job's number,
-- negative; an event that may come again has the number of the job and of its step.
-- p_turn, in the line at the printer p_place of p_place_tenant (null: in none):
--   take (about to begin: only with the printer; else it waits p_rest_ms) | keep (at it) | hold (the printer has it; between two looks)
--   | free (it waits, and whoever is next is called after p_rest_ms) | end
-- p_knows: the machine knows already that the job is to be canceled; if not, it is not put off.
--   verdict: stored | waits (it is not its turn) | lost (the lease is another's now, nothing was written)
--   o_wanted: it is to be canceled; o_passed: another's turn has come
create function chil_advance_print_job(
    p_tenant bigint, p_work bigint, p_fence bigint, p_job bigint, p_state text, p_reason text, p_pages integer,
    p_remote_job_id text, p_remote_job_uri text, p_machine text, p_again_ms bigint, p_told text, p_now timestamptz,
    p_turn text, p_rest_ms bigint, p_knows boolean, p_place_tenant bigint, p_place bigint,
    out verdict text, out o_wanted boolean, out o_passed boolean
)
    language plpgsql volatile
    as $$
    declare
        old_state text;
        job_owner bigint;
        event_number integer;
        owner bigint;
        shown bigint;
        began bigint;
        again constant interval := p_again_ms * interval '1 millisecond';
        rest constant interval := p_rest_ms * interval '1 millisecond';
        is_taken boolean;
    begin
        verdict := 'lost';
        o_wanted := false;
        o_passed := false;
        if p_again_ms is null then
            delete from work w where w.tenant_id = p_tenant and w.work_id = p_work and w.fence = p_fence;
        else
            update work w
               set run_at = now() + again,
                   leased_by = case when p_turn in ('take', 'keep') then w.leased_by end,
                   -- The printer is asked after this: what was said of it before is nothing new.
                   hinted_at = case when p_turn <> 'keep' then w.hinted_at end,
                   turn_from = case p_turn when 'free' then now() + again else w.turn_from end,
                   turn_until = case when p_turn = 'free' then null
                                     -- Longer than the row's own lease, or than it is put off: whoever goes on has it still.
                                     when w.turn_until > now() then now() + again + interval '60 seconds' end
             where w.tenant_id = p_tenant and w.work_id = p_work and w.fence = p_fence;
        end if;
        if not found then
            return;
        end if;
        verdict := 'stored';
        select j.state, j.owner_id, j.run_from, j.wanted_at is not null into old_state, job_owner, began, o_wanted from print_job j where j.tenant_id = p_tenant and j.job_id = p_job;
        update print_job j
           set remote_job_id = coalesce(p_remote_job_id, j.remote_job_id),
               remote_job_uri = coalesce(p_remote_job_uri, j.remote_job_uri),
               machine = p_machine
         where j.tenant_id = p_tenant and j.job_id = p_job;
        -- A step that changes nothing adds nothing to the history.
        update print_job j
           set state = p_state, reason = p_reason, event_count = j.event_count + 1, updated_at = p_now
         where j.tenant_id = p_tenant and j.job_id = p_job
           and (j.state, j.reason) is distinct from (p_state, p_reason)
        returning j.event_count, j.owner_id, j.drawing_id into event_number, owner, shown;
        if found then
            insert into print_job_event (tenant_id, job_id, sequence, state, reason, at)
                values (p_tenant, p_job, event_number, p_state, p_reason, p_now);
            perform chil_tell_user(
                p_tenant, owner, 'print-job.updated',
                '"printJobId":' || p_job || ',"drawingId":' || shown || ',"status":"' || p_state || '"'
                    || coalesce(',"reason":' || to_json(p_reason), ''),
                p_now
            );
        end if;
        if p_again_ms is null then
            if p_state in ('completed', 'outcomeUnknown') then
                perform chil_settle(p_tenant, p_job, 'print_jobs', null);
                -- As many as were drawn.
                perform chil_settle(
                    p_tenant, p_job, 'printed_pages',
                    (select j.page_count from print_job j where j.tenant_id = p_tenant and j.job_id = p_job)
                );
            elsif p_pages > 0 then
                perform chil_settle(p_tenant, p_job, 'print_jobs', null);
                perform chil_settle(p_tenant, p_job, 'printed_pages', p_pages);
            elsif exists (
                select from print_job_event e where e.tenant_id = p_tenant and e.job_id = p_job and e.state = 'printing'
                   and e.sequence >= began
            ) then
                -- Paper was on its way, and this printer does not count it.
                perform chil_settle(p_tenant, p_job, 'print_jobs', null);
                perform chil_settle(p_tenant, p_job, 'printed_pages', null);
            else
                perform chil_settle(p_tenant, p_job, 'print_jobs', 0);
                perform chil_settle(p_tenant, p_job, 'printed_pages', 0);
            end if;
        end if;
        if p_state is distinct from old_state then
            if p_state in ('completed', 'failed', 'canceled', 'expired', 'outcomeUnknown') then
                insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                    values (
                        p_tenant, case when began = 1 then -p_job else -(p_job * 64 + event_number % 64) end, p_now,
                        'service', 'worker', 'print-job.end', p_job::text, concat_ws(': ', p_state, p_reason)
                    )
                    on conflict do nothing;
            end if;
            if p_told is not null then
                perform chil_emit(
                    p_tenant, p_job * 64 + (event_number - 1) % 64, p_told, p_job::text,
                    '"printJobId":' || p_job || ',"userId":' || job_owner || ',"state":"' || p_state || '"'
                        || coalesce(',"reason":' || to_json(p_reason), ''),
                    p_now
                );
            end if;
        end if;
        if o_wanted and not p_knows and p_turn in ('hold', 'free') then
            update work w set run_at = now() where w.tenant_id = p_tenant and w.work_id = p_work;
        elsif p_turn = 'hold' then
            -- It was said while the printer was asked: so it is asked again.
            update work w set run_at = least(w.run_at, now() + interval '1 second')
             where w.tenant_id = p_tenant and w.work_id = p_work and w.hinted_at is not null;
        end if;
        if p_place is null then
            return;
        elsif p_turn = 'take' then
            select t.o_taken, t.o_passed into is_taken, o_passed
              from chil_take_turn(p_tenant, p_work, p_place_tenant, p_place, again + interval '60 seconds') as t;
            if not is_taken then
                verdict := 'waits';
                update work w
                   set run_at = case when o_wanted and not p_knows then now() else now() + rest end, leased_by = null
                 where w.tenant_id = p_tenant and w.work_id = p_work;
            end if;
        elsif p_turn in ('free', 'end') then
            o_passed := chil_pass_turn(p_place_tenant, p_place, rest);
        end if;
    end
    $$;

grant execute on function
    chil_create_print_job(bigint, bigint, bigint, bigint[], bigint, text, integer, text, text, text, timestamptz, timestamptz),
    chil_advance_print_job(
        bigint, bigint, bigint, bigint, text, text, integer, text, text, text, bigint, text, timestamptz, text, bigint, boolean, bigint, bigint
    )
    to chil_service;
