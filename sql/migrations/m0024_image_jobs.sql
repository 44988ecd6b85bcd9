-- Pictures that other services make: drawings from wishes, motion from drawings. Jobs, and the services that a tenant has them made by.
--
-- Why a job has its drawing's number: the drawing is there from the first moment, PENDING, so that whoever waited too long finds it; its
-- job, its work and its reservation of quota have the same number, and nothing has to be looked up. The job goes with its drawing.

create domain image_purpose as text collate "C" constraint image_purpose_check check (value in ('generation', 'motion'));

-- A service that makes pictures for a tenant, asked in the order of position. sealed_key: what it wants to be shown, null: nothing.
-- options: JSON, read by the service's kind. disclosed_to: the party that the wish or the drawing is handed to, null: it stays in the house.
-- failures: in a row; paused_until: it is not asked before.
create table image_endpoint (
    tenant_id                bigint        not null,
    endpoint_id              bigint        not null,
    purpose                  image_purpose not null,
    kind                     text          not null collate "C",
    url                      text          not null,
    sealed_key               bytea,
    model                    text,
    options                  text          not null default '{}',
    position                 integer       not null,
    state                    text          not null default 'enabled' collate "C",
    timeout_s                integer       not null,
    allowed_private_endpoint text,
    disclosed_to             text          collate "C",
    failures                 integer       not null default 0,
    paused_until             timestamptz,
    last_used_at             timestamptz,
    last_fault               text,
    created_at               timestamptz   not null,
    updated_at               timestamptz   not null,
    constraint image_endpoint_pkey primary key (tenant_id, endpoint_id),
    constraint image_endpoint_kind_check check (kind in ('openai', 'localai', 'sdcpp', 'automatic1111', 'sketchbook', 'animated-drawings')),
    constraint image_endpoint_state_check check (state in ('enabled', 'disabled')),
    constraint image_endpoint_timeout_check check (timeout_s between 1 and 1800),
    constraint image_endpoint_disclosed_to_check check (disclosed_to ~ '^[a-z0-9][a-z0-9-]{0,39}$')
) with (fillfactor = 70);
create index image_endpoint_in_turn on image_endpoint (tenant_id, purpose, position, endpoint_id);

-- How a tenant's wishes become drawings. What has no row: the house's recipe, the middle level, no words of the tenant's own.
create table generation_setting (
    tenant_id     bigint      not null,
    recipe        text,        -- around {wish} and {level}; null: the house's
    level         text        not null default 'medium' collate "C",
    blocked_words text        not null default '',  -- one a line
    updated_at    timestamptz not null,
    constraint generation_setting_pkey primary key (tenant_id),
    constraint generation_setting_level_check check (level in ('easy', 'medium', 'detailed'))
);

-- job_id: the drawing that comes of it. source_id: the drawing that moves. parameters: JSON. machine: the state machine as it writes itself,
-- with its history; null before its first step. fault: the code of a failure. revised_prompt: what the service made of the wish.
create table image_job (
    tenant_id      bigint        not null,
    job_id         bigint        not null,
    kind           image_purpose not null,
    owner_id       bigint        not null,
    source_id      bigint,
    parameters     text          not null,
    state          text          not null default 'queued' collate "C",
    machine        text,
    fault          text          collate "C",
    endpoint_id    bigint,       -- who made it
    revised_prompt text,
    created_at     timestamptz   not null,
    updated_at     timestamptz   not null,
    constraint image_job_pkey primary key (tenant_id, job_id),
    constraint image_job_state_check check (state in ('queued', 'running', 'ready', 'failed')),
    constraint image_job_fault_check check ((state = 'failed') = (fault is not null))
) with (fillfactor = 70);

create index image_job_failed on image_job (tenant_id, updated_at) where state = 'failed';

-- The drawing that an animated one was made of. It may be gone: no foreign key.
alter table drawing add column source_id bigint;

alter table image_endpoint add constraint image_endpoint_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table generation_setting add constraint generation_setting_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table image_job add constraint image_job_drawing_fkey
    foreign key (tenant_id, job_id) references drawing (tenant_id, drawing_id) on delete cascade;

do $walls$
declare
    owned text;
begin
    foreach owned in array array['image_endpoint', 'generation_setting', 'image_job'] loop
        execute format('alter table %I enable row level security', owned);
        execute format(
            $policy$
                create policy own_rows on %I to chil_service
                    using (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
                    with check (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
            $policy$,
            owned
        );
        execute format('create policy operator_rows on %I to chil_operator using (true) with check (true)', owned);
    end loop;
end
$walls$;

grant select, update (failures, paused_until, last_used_at, last_fault) on image_endpoint to chil_service;
grant select on generation_setting to chil_service;
grant select, insert, update (state, machine, fault, endpoint_id, revised_prompt, updated_at) on image_job to chil_service;
grant update (status, image_hash, byte_count, media_type, width, height) on drawing to chil_service;
grant select, insert, delete,
      update (url, sealed_key, model, options, position, state, timeout_s, allowed_private_endpoint, disclosed_to, failures, paused_until,
              last_fault, updated_at)
      on image_endpoint to chil_operator;
grant select, insert, delete, update (recipe, level, blocked_words, updated_at) on generation_setting to chil_operator;
grant select on image_job to chil_operator;

-- Work of pictures is claimed by itself: a service that takes minutes keeps nothing else waiting.
alter table work
    drop constraint work_kind_check,
    add constraint work_kind_check check (kind in ('print', 'exchange', 'revoke', 'event', 'cancel', 'webhook', 'image'));
drop index work_run_at;
create index work_image on work (run_at) where kind = 'image';
create index work_image_turn on work (tenant_id, lane, run_at) where kind = 'image';
create index work_run_at on work (run_at) where kind <> 'webhook' and kind <> 'image';
-- From tenant to tenant and lane to lane, when one has more due than a look sees.
create index work_turn on work (tenant_id, lane, run_at) where kind <> 'webhook' and kind <> 'image';

-- The quota that a job takes.
create function chil_image_metric(p_kind text) returns text
    language sql immutable
    as $$ select case p_kind when 'motion' then 'motions' else 'generations' end $$;

-- Tells the owner's apps how far a job's drawing is.
create function chil_tell_job(
    p_tenant bigint, p_owner bigint, p_job bigint, p_kind text, p_type text, p_status text, p_now timestamptz
) returns void
    language plpgsql volatile
    as $$
    begin
        perform chil_tell_user(
            p_tenant, p_owner, p_type,
            '"drawingId":' || p_job || ',"type":"' || case p_kind when 'motion' then 'ANIMATED' else 'GENERATED' end
                || '","status":"' || p_status || '"',
            p_now
        );
    end
    $$;

-- Why no service may be asked for the user now; null: one may.
--   endpoint (the tenant has none) | consent … (the notice and the scope that the first of them waits for)
create function chil_image_obstacle(p_tenant bigint, p_owner bigint, p_purpose text) returns text
    language plpgsql volatile
    as $$
    declare
        party record;
        missing_notice integer;
        obstacle text := 'endpoint';
    begin
        for party in
            select e.disclosed_to
              from image_endpoint e
             where e.tenant_id = p_tenant and e.purpose = p_purpose and e.state = 'enabled'
             order by e.position, e.endpoint_id
        loop
            if party.disclosed_to is null then
                return null;
            end if;
            missing_notice := chil_missing_consent(p_tenant, p_owner, 'disclose:' || party.disclosed_to);
            if missing_notice is null then
                return null;
            elsif obstacle = 'endpoint' then
                obstacle := 'consent ' || missing_notice || ' disclose:' || party.disclosed_to;
            end if;
        end loop;
        return obstacle;
    end
    $$;

-- Accepts a job: its drawing, PENDING, its work, and the quotas of both, the job's own reserved until it ends.
--   verdict: created | owner (there is no such user) | drawing (no such source of this owner) | image (the source has no picture)
--            | endpoint (nobody can make it) | quota … (what chil_take says of the limit that refused)
--            | consent … (the notice and the scope of what is missing)
create function chil_enqueue_image_job(
    p_tenant bigint, p_owner bigint, p_job bigint, p_kind text, p_source bigint, p_title text, p_prompt text, p_parameters text,
    p_request text, p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        -- Longer than a job lives; while its work is in the queue its lease does not end anyhow.
        lease_end constant timestamptz := p_now + interval '1 day';
        metric constant text := chil_image_metric(p_kind);
        missing_notice integer;
        shown_hash bytea;
        refusal text;
    begin
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = p_owner for key share;
        if not found then
            return 'owner';
        end if;
        missing_notice := chil_missing_consent(p_tenant, p_owner, 'collect');
        if missing_notice is not null then
            return 'consent ' || missing_notice || ' collect';
        end if;
        if p_source is not null then
            select d.image_hash into shown_hash
              from drawing d
             where d.tenant_id = p_tenant and d.owner_id = p_owner and d.drawing_id = p_source;
            if not found then
                return 'drawing';
            elsif shown_hash is null then
                return 'image';
            end if;
        end if;
        refusal := chil_image_obstacle(p_tenant, p_owner, p_kind);
        if refusal is not null then
            return refusal;
        end if;
        refusal := chil_take(p_tenant, 'drawings', p_owner, null, 1, p_now);
        if refusal is null then
            refusal := chil_reserve(p_tenant, p_job, metric, p_owner, null, 1, lease_end, p_now);
            if refusal is not null then
                perform chil_untake(p_tenant, 'drawings', p_owner, null, 1);
            end if;
        end if;
        if refusal is not null then
            return chil_refuse_drawing(p_tenant, p_owner, p_job, refusal, p_request, p_now);
        end if;
        insert into drawing (
            tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type, title, prompt,
            source_id
        ) values (
            p_tenant, p_job, p_owner, 0, p_now, p_now, 0, 0, case p_kind when 'motion' then 'ANIMATED' else 'GENERATED' end, 'PENDING',
            case p_kind when 'motion' then 'image/gif' else 'image/png' end, p_title, p_prompt, p_source
        );
        insert into image_job (tenant_id, job_id, kind, owner_id, source_id, parameters, created_at, updated_at)
            values (p_tenant, p_job, p_kind, p_owner, p_source, p_parameters, p_now, p_now);
        insert into work (tenant_id, work_id, kind, subject_id, run_at) values (p_tenant, p_job, 'image', p_job, now());
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, request_id)
            values (p_tenant, p_job, p_now, 'user', p_owner::text, p_kind || '.create', 'drawing ' || p_job, p_request);
        perform chil_tell_job(p_tenant, p_owner, p_job, p_kind, 'drawing.created', 'PENDING', p_now);
        return 'created';
    end
    $$;

-- chil_enqueue_image_job behind the gate of Idempotency-Key.
create function chil_once_enqueue_image_job(
    p_tenant bigint, p_owner bigint, p_job bigint, p_kind text, p_source bigint, p_title text, p_prompt text, p_parameters text,
    p_request text, p_now timestamptz, p_key bytea, p_body bytea, p_expires_at timestamptz,
    out verdict text, out o_subject bigint
)
    language plpgsql volatile
    as $$
    begin
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = p_owner for key share;
        if not found then
            verdict := 'owner';
            return;
        end if;
        select o.verdict, o.o_subject into verdict, o_subject
          from chil_once(p_tenant, p_owner, p_key, p_body, p_job, null, p_expires_at, p_now) as o;
        if verdict <> 'new' then
            return;
        end if;
        verdict := chil_enqueue_image_job(
            p_tenant, p_owner, p_job, p_kind, p_source, p_title, p_prompt, p_parameters, p_request, p_now
        );
        if verdict <> 'created' then
            perform chil_once_forget(p_tenant, p_owner, p_key, p_job);
        end if;
    end
    $$;

-- Ends the work of a job whose drawing was deleted: what it reserved goes back. False: the lease is another's now.
create function chil_drop_image_job(p_tenant bigint, p_job bigint, p_fence bigint) returns boolean
    language plpgsql volatile
    as $$
    begin
        delete from work w where w.tenant_id = p_tenant and w.work_id = p_job and w.fence = p_fence;
        if not found then
            return false;
        end if;
        perform chil_settle(p_tenant, p_job, 'generations', 0);
        perform chil_settle(p_tenant, p_job, 'motions', 0);
        return true;
    end
    $$;

-- One step of a job by the worker that holds its work: the state, the machine's text, and for how long the work is the worker's, or rests.
-- False: the lease is another's now, nothing was written.
create function chil_advance_image_job(
    p_tenant bigint, p_job bigint, p_fence bigint, p_state text, p_machine text, p_again_ms bigint, p_now timestamptz
) returns boolean
    language plpgsql volatile
    as $$
    begin
        update work w set run_at = now() + p_again_ms * interval '1 millisecond'
         where w.tenant_id = p_tenant and w.work_id = p_job and w.fence = p_fence;
        if not found then
            return false;
        end if;
        update image_job j set state = p_state, machine = p_machine, updated_at = p_now
         where j.tenant_id = p_tenant and j.job_id = p_job;
        return true;
    end
    $$;

-- Publishes the picture that a job was for: p_bytes whole, or null when its chunks were staged before. The quota is used for good.
--   verdict: ready | lost (the lease is another's now) | gone (the drawing was deleted meanwhile) | unstaged (chunks missing)
--            | quota … (no room to keep it: fail the job)
create function chil_settle_image_job(
    p_tenant bigint, p_job bigint, p_fence bigint, p_hash bytea, p_byte_count bigint, p_media_type text, p_width integer, p_height integer,
    p_bytes bytea, p_endpoint bigint, p_revised_prompt text, p_machine text, p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        owner bigint;
        job_kind text;
        is_published boolean;
        staged_object bigint;
        is_written boolean;
        refusal text;
    begin
        select j.owner_id, j.kind into owner, job_kind from image_job j where j.tenant_id = p_tenant and j.job_id = p_job;
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = owner for key share;
        perform from work w where w.tenant_id = p_tenant and w.work_id = p_job and w.fence = p_fence for update;
        if not found then
            return 'lost';
        end if;
        perform from drawing d
          where d.tenant_id = p_tenant and d.owner_id = owner and d.drawing_id = p_job and d.status = 'PENDING'
            for no key update;
        if not found then
            perform chil_drop_image_job(p_tenant, p_job, p_fence);
            return 'gone';
        end if;
        select i.staged_until is null, i.object_id into is_published, staged_object
          from image i
         where i.tenant_id = p_tenant and i.owner_id = owner and i.hash = p_hash
           for key share;
        if p_bytes is null and is_published is null then
            return 'unstaged';
        end if;
        if is_published is not true then
            refusal := chil_take(p_tenant, 'storage_bytes', owner, null, p_byte_count, p_now);
            if refusal is not null then
                return 'quota ' || refusal;
            end if;
            if p_bytes is null then
                update image i set staged_until = null
                 where i.tenant_id = p_tenant and i.owner_id = owner and i.hash = p_hash and i.staged_until > p_now
                   and (i.object_stored or (i.chunk_count::bigint, i.byte_count) = (
                        select count(*), coalesce(sum(octet_length(c.bytes)), 0)
                          from image_chunk c
                         where c.tenant_id = p_tenant and c.owner_id = owner and c.hash = p_hash
                       ));
                is_written := found;
            else
                insert into image as i (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, bytes)
                    values (p_tenant, owner, p_hash, p_byte_count, p_media_type, p_width, p_height, 0, p_bytes)
                    on conflict (tenant_id, owner_id, hash)
                    do update set staged_until = null, chunk_count = 0, bytes = excluded.bytes, object_id = null,
                                  object_stored = false
                    where i.staged_until is not null;
                is_written := found;
                if is_written and staged_object is not null then
                    perform chil_discard_objects(p_tenant, array[staged_object]);
                end if;
            end if;
            if not is_written then
                -- The same bytes were published by another meanwhile; or, if staged, they are not whole.
                perform chil_untake(p_tenant, 'storage_bytes', owner, null, p_byte_count);
                if not exists (
                    select from image i
                     where i.tenant_id = p_tenant and i.owner_id = owner and i.hash = p_hash and i.staged_until is null
                ) then
                    return 'unstaged';
                end if;
            end if;
        end if;
        update drawing d
           set status = 'READY', image_hash = p_hash, byte_count = p_byte_count, media_type = p_media_type, width = p_width,
               height = p_height, updated_at = p_now
         where d.tenant_id = p_tenant and d.owner_id = owner and d.drawing_id = p_job;
        update image_job j
           set state = 'ready', machine = p_machine, endpoint_id = p_endpoint, revised_prompt = p_revised_prompt, updated_at = p_now
         where j.tenant_id = p_tenant and j.job_id = p_job;
        delete from work w where w.tenant_id = p_tenant and w.work_id = p_job;
        perform chil_settle(p_tenant, p_job, chil_image_metric(job_kind), null);
        perform chil_emit(p_tenant, p_job, 'drawing.created', p_job::text, '"drawingId":' || p_job || ',"userId":' || owner, p_now);
        perform chil_tell_job(p_tenant, owner, p_job, job_kind, 'drawing.updated', 'READY', p_now);
        return 'ready';
    end
    $$;

-- Ends a job that came to nothing: the drawing says so and counts no more, and what was reserved goes back. False: the lease is another's
-- now.
-- The audit's row has the job's number, negative: the one of its beginning has the number.
create function chil_fail_image_job(
    p_tenant bigint, p_job bigint, p_fence bigint, p_fault text, p_machine text, p_now timestamptz
) returns boolean
    language plpgsql volatile
    as $$
    declare
        job_kind text;
        owner bigint;
        is_counted boolean;
    begin
        delete from work w where w.tenant_id = p_tenant and w.work_id = p_job and w.fence = p_fence;
        if not found then
            return false;
        end if;
        update drawing d set status = 'FAILED', updated_at = p_now
         where d.tenant_id = p_tenant and d.drawing_id = p_job and d.status = 'PENDING';
        is_counted := found;
        update image_job j set state = 'failed', fault = p_fault, machine = p_machine, updated_at = p_now
         where j.tenant_id = p_tenant and j.job_id = p_job
        returning j.kind, j.owner_id into job_kind, owner;
        if found then
            perform chil_tell_job(p_tenant, owner, p_job, job_kind, 'drawing.updated', 'FAILED', p_now);
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                values (p_tenant, -p_job, p_now, 'service', 'worker', job_kind || '.fail', 'drawing ' || p_job, p_fault);
        end if;
        if is_counted and owner is not null then
            perform chil_give_back(p_tenant, 'drawings', owner, 1);
        end if;
        perform chil_settle(p_tenant, p_job, 'generations', 0);
        perform chil_settle(p_tenant, p_job, 'motions', 0);
        return true;
    end
    $$;

-- Removes drawings that came to nothing, once whoever waited for them has heard of it. They count for nothing. At most p_max; answers how
-- many. Nothing of users who are on hold.
create function chil_sweep_failed_drawings(p_tenant bigint, p_before timestamptz, p_max bigint) returns bigint
    language plpgsql volatile
    as $$
    declare
        f record;
        gone bigint := 0;
    begin
        for f in
            select j.job_id, j.owner_id
              from image_job j
             where j.tenant_id = p_tenant and j.state = 'failed' and j.updated_at < p_before
               and not exists (select from user_hold h where h.tenant_id = p_tenant and h.user_id = j.owner_id)
             order by j.updated_at limit p_max
        loop
            -- There is no image, and the audit has the failure.
            delete from drawing d
             where d.tenant_id = p_tenant and d.owner_id = f.owner_id and d.drawing_id = f.job_id and d.status = 'FAILED';
            if found then
                gone := gone + 1;
            end if;
        end loop;
        return gone;
    end
    $$;

grant execute on function
    chil_image_metric(text),
    chil_tell_job(bigint, bigint, bigint, text, text, text, timestamptz),
    chil_image_obstacle(bigint, bigint, text),
    chil_enqueue_image_job(bigint, bigint, bigint, text, bigint, text, text, text, text, timestamptz),
    chil_once_enqueue_image_job(
        bigint, bigint, bigint, text, bigint, text, text, text, text, timestamptz, bytea, bytea, timestamptz
    ),
    chil_drop_image_job(bigint, bigint, bigint),
    chil_advance_image_job(bigint, bigint, bigint, text, text, bigint, timestamptz),
    chil_settle_image_job(
        bigint, bigint, bigint, bytea, bigint, text, integer, integer, bytea, bigint, text, text, timestamptz
    ),
    chil_fail_image_job(bigint, bigint, bigint, text, text, timestamptz),
    chil_sweep_failed_drawings(bigint, timestamptz, bigint)
    to chil_service;
