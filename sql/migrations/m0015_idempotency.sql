-- Idempotency-Key: a request that makes something, sent again with its key, finds what it made (draft-ietf-httpapi-idempotency-key-header).
--
-- Why so: the record is written in the transaction of its effect, so that there is never one without the other, whatever is killed when. A
-- refused effect leaves no record: the client may mend what was wrong and try again. Only digests are kept, under a key of the service's:
-- keys and bodies say nothing here. Rows are gone after a day, and with the person.
create table idempotency (
    tenant_id     bigint        not null,
    user_id       bigint        not null,
    key_digest    sha256_digest not null,  -- of route and key
    body_digest   sha256_digest not null,  -- of what was asked
    subject_id    bigint        not null,  -- what it made, or is about to make
    running_until timestamptz,             -- the lease of a request in several steps; null: it is done
    expires_at    timestamptz   not null,
    constraint idempotency_pkey primary key (tenant_id, user_id, key_digest)
) with (fillfactor = 70);
create index idempotency_expiry on idempotency (tenant_id, expires_at);
alter table idempotency add constraint idempotency_user_fkey
    foreign key (tenant_id, user_id) references app_user (tenant_id, user_id) on delete cascade;

alter table idempotency enable row level security;
create policy own_rows on idempotency to chil_service
    using (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
    with check (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint);
create policy operator_rows on idempotency to chil_operator using (true) with check (true);
grant select, insert, delete, update (body_digest, subject_id, running_until, expires_at) on idempotency to chil_service;

-- The gate of a request with a key. Requests with the same key wait here for the first one's end.
--   verdict: new (go on; o_subject is p_subject) | done (o_subject was made) | other (the key was used for another body) | running
-- p_running_until null: the effect follows in this transaction.
create function chil_once(
    p_tenant bigint, p_user bigint, p_key bytea, p_body bytea, p_subject bigint,
    p_running_until timestamptz, p_expires_at timestamptz, p_now timestamptz,
    out verdict text, out o_subject bigint
)
    language plpgsql volatile
    as $$
    declare
        held idempotency;
    begin
        loop
            insert into idempotency (tenant_id, user_id, key_digest, body_digest, subject_id, running_until, expires_at)
                values (p_tenant, p_user, p_key, p_body, p_subject, p_running_until, p_expires_at)
                on conflict do nothing;
            if found then
                verdict := 'new';
                o_subject := p_subject;
                return;
            end if;
            select * into held
              from idempotency i
             where i.tenant_id = p_tenant and i.user_id = p_user and i.key_digest = p_key
               for update;
            exit when found;  -- else it was removed meanwhile
        end loop;
        if held.expires_at > p_now and held.subject_id <> p_subject and (held.running_until is null or held.running_until > p_now) then
            verdict := case when held.body_digest <> p_body then 'other'
                            when held.running_until is not null then 'running'
                            else 'done' end;
            o_subject := held.subject_id;
            return;
        end if;
        -- Over, left behind by a process that ended, or this request's own from a step before.
        update idempotency i
           set body_digest = p_body, subject_id = p_subject, running_until = p_running_until, expires_at = p_expires_at
         where i.tenant_id = p_tenant and i.user_id = p_user and i.key_digest = p_key;
        verdict := 'new';
        o_subject := p_subject;
    end
    $$;

-- Forgets a record whose effect was refused, or never came.
create function chil_once_forget(p_tenant bigint, p_user bigint, p_key bytea, p_subject bigint) returns void
    language sql volatile
    as $$
        delete from idempotency i
         where i.tenant_id = p_tenant and i.user_id = p_user and i.key_digest = p_key and i.subject_id = p_subject
    $$;

-- chil_create_drawing behind the gate.
--   verdict: as there | owner (was deleted) | done, other, running as chil_once says
create function chil_once_create_drawing(
    p_tenant bigint, p_owner bigint, p_drawing bigint, p_kind text, p_title text, p_prompt text,
    p_hash bytea, p_byte_count bigint, p_media_type text, p_width integer, p_height integer, p_bytes bytea,
    p_request text, p_now timestamptz, p_asks_consent boolean, p_key bytea, p_body bytea, p_expires_at timestamptz,
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
          from chil_once(p_tenant, p_owner, p_key, p_body, p_drawing, null, p_expires_at, p_now) as o;
        if verdict <> 'new' then
            return;
        end if;
        verdict := chil_create_drawing(
            p_tenant, p_owner, p_drawing, p_kind, p_title, p_prompt, p_hash, p_byte_count, p_media_type, p_width, p_height, p_bytes,
            p_request, p_now, p_asks_consent
        );
        if verdict <> 'created' then
            perform chil_once_forget(p_tenant, p_owner, p_key, p_drawing);
        end if;
    end
    $$;

-- chil_create_print_job behind the gate.
create function chil_once_create_print_job(
    p_tenant bigint, p_owner bigint, p_job bigint, p_drawings bigint[], p_printer bigint, p_scale text, p_copies integer, p_paper text,
    p_request text, p_address text, p_print_until timestamptz, p_now timestamptz, p_key bytea, p_body bytea, p_expires_at timestamptz,
    out verdict text, out o_printer bigint, out o_resets_at timestamptz, out o_subject bigint
)
    language plpgsql volatile
    as $$
    begin
        select o.verdict, o.o_subject into verdict, o_subject
          from chil_once(p_tenant, p_owner, p_key, p_body, p_job, null, p_expires_at, p_now) as o;
        if verdict <> 'new' then
            return;
        end if;
        select j.verdict, j.o_printer, j.o_resets_at into verdict, o_printer, o_resets_at
          from chil_create_print_job(
                p_tenant, p_owner, p_job, p_drawings, p_printer, p_scale, p_copies, p_paper, p_request, p_address, p_print_until, p_now
               ) as j;
        if verdict <> 'created' then
            perform chil_once_forget(p_tenant, p_owner, p_key, p_job);
        end if;
    end
    $$;

grant execute on function
    chil_once(bigint, bigint, bytea, bytea, bigint, timestamptz, timestamptz, timestamptz),
    chil_once_forget(bigint, bigint, bytea, bigint),
    chil_once_create_drawing(
        bigint, bigint, bigint, text, text, text, bytea, bigint, text, integer, integer, bytea, text, timestamptz, boolean, bytea, bytea,
        timestamptz
    ),
    chil_once_create_print_job(
        bigint, bigint, bigint, bigint[], bigint, text, integer, text, text, text, timestamptz, timestamptz, bytea, bytea, timestamptz
    )
    to chil_service;
