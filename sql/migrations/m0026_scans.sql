-- Scans: pages that a scanner pushes to an address that nobody can guess, and the drawings that become of them.
--
-- Why in two steps: whoever pushes waits for an answer and comes again without one, so a page is only stored, in the owner's name and
-- staged as an upload is, and a worker makes the drawing. The same page of a person is taken once; once its drawing is deleted, it may
-- come again. What came is kept beside what is shown of it: drawing.original_hash.

create domain scan_state as text collate "C" constraint scan_state_check check (value in ('waiting', 'done', 'failed'));

-- token_digest: SHA-256 of what stands in the address. serial: what the printer must call itself; null: anything.
create table scanner (
    tenant_id    bigint        not null,
    scanner_id   bigint        not null,
    name         text          not null,
    owner_id     bigint        not null,
    token_digest sha256_digest not null,
    serial       text,
    last_scan_at timestamptz,
    created_at   timestamptz   not null,
    updated_at   timestamptz   not null,
    constraint scanner_pkey primary key (tenant_id, scanner_id)
);
create unique index scanner_name_key on scanner (tenant_id, name);
create index scanner_of_owner on scanner (tenant_id, owner_id);
create unique index scanner_token_key on scanner (tenant_id, token_digest);

-- An address for one push: of the page that was printed of a drawing. push_digest: of the push that it was used for.
create table scan_session (
    tenant_id     bigint        not null,
    token_digest  sha256_digest not null,
    owner_id      bigint        not null,
    drawing_id    bigint        not null,
    push_digest   sha256_digest,
    used_at       timestamptz,
    created_at    timestamptz   not null,
    expires_at    timestamptz   not null
);
create index scan_session_of_owner on scan_session (tenant_id, owner_id);
create index scan_session_drawing on scan_session (tenant_id, drawing_id);
create index scan_session_expiry on scan_session (tenant_id, expires_at);
alter table scan_session add constraint scan_session_pkey primary key (tenant_id, token_digest);

-- A page. hash: of its bytes, which are an image of the owner's; page: which one of them, if they are a document. source_id: the drawing that
-- was printed; it may be gone. fault: the code of a failure.
create table scan (
    tenant_id   bigint        not null,
    scan_id     bigint        not null,
    owner_id    bigint        not null,
    hash        sha256_digest not null,
    page        integer       not null default 1,
    byte_count  bigint        not null,
    media_type  text          not null collate "C",
    scanner_id  bigint,
    source_id   bigint,
    state       scan_state    not null default 'waiting',
    fault       text          collate "C",
    drawing_id  bigint,
    received_at timestamptz   not null,
    ended_at    timestamptz
);
create index scan_of_owner on scan (tenant_id, owner_id, scan_id desc);
create index scan_drawing on scan (tenant_id, drawing_id) where drawing_id is not null;
create index scan_waiting on scan (tenant_id, received_at) where state = 'waiting';
create index scan_failed on scan (tenant_id, ended_at) where state = 'failed';
create unique index scan_hash_key on scan (tenant_id, owner_id, hash, page);
alter table scan add constraint scan_pkey primary key (tenant_id, scan_id);

alter table scanner add constraint scanner_owner_fkey
    foreign key (tenant_id, owner_id) references app_user (tenant_id, user_id) on delete cascade;
alter table scan_session add constraint scan_session_owner_fkey
    foreign key (tenant_id, owner_id) references app_user (tenant_id, user_id) on delete cascade;
alter table scan_session add constraint scan_session_drawing_fkey
    foreign key (tenant_id, drawing_id) references drawing (tenant_id, drawing_id) on delete cascade;
alter table scan add constraint scan_owner_fkey
    foreign key (tenant_id, owner_id) references app_user (tenant_id, user_id) on delete cascade;
alter table scan add constraint scan_drawing_fkey
    foreign key (tenant_id, drawing_id) references drawing (tenant_id, drawing_id) on delete cascade;

do $walls$
declare
    owned text;
begin
    foreach owned in array array['scanner', 'scan_session', 'scan'] loop
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
grant select, update (last_scan_at) on scanner to chil_service;
grant select, insert, delete, update (push_digest, used_at) on scan_session to chil_service;
grant select, insert, delete, update (scanner_id, source_id, state, fault, drawing_id, received_at, ended_at) on scan to chil_service;
grant select, insert, delete, update (token_digest, updated_at) on scanner to chil_operator;
grant select on scan to chil_operator;
grant update (original_hash, source_id) on drawing to chil_service;

-- 'image' is the kind of m0024.
alter table work
    drop constraint work_kind_check,
    add constraint work_kind_check check (kind in ('print', 'exchange', 'revoke', 'event', 'cancel', 'webhook', 'image', 'scan'));
-- Claimed by itself, as pictures are: pages of one tenant keep nothing else waiting.
drop index work_run_at, work_turn;
create index work_scan on work (run_at) where kind = 'scan';
create index work_scan_turn on work (tenant_id, lane, run_at) where kind = 'scan';
create index work_run_at on work (run_at) where kind <> 'webhook' and kind <> 'image' and kind <> 'scan';
create index work_turn on work (tenant_id, lane, run_at) where kind <> 'webhook' and kind <> 'image' and kind <> 'scan';

-- Whose address it is: a scanner's, or one for a single push, which may come again for a while: its scanner may have had no answer.
-- No row: nobody's, used or over.
create function chil_scan_door(
    p_tenant bigint, p_digest bytea, p_now timestamptz,
    out o_owner bigint, out o_scanner bigint, out o_source bigint, out o_serial text
) returns setof record
    language plpgsql stable
    as $$
    begin
        select s.owner_id, s.scanner_id, s.serial into o_owner, o_scanner, o_serial
          from scanner s
         where s.tenant_id = p_tenant and s.token_digest = p_digest;
        if not found then
            select n.owner_id, n.drawing_id into o_owner, o_source
              from scan_session n
             where n.tenant_id = p_tenant and n.token_digest = p_digest and n.expires_at > p_now
               and (n.used_at is null or n.used_at > p_now - interval '15 minutes');
        end if;
        if o_owner is not null then
            return next;
        end if;
    end
    $$;

-- A page is kept, and its work queued. p_bytes: whole (few enough for a row), or null when its chunks were staged before.
--   verdict: received | repeated (its owner has it) | door (the address is nobody's any more) | owner (gone) | unstaged (stage it again)
--            | full (too many wait) | consent … (the notice and the scope of what is missing)
-- p_push: SHA-256 of the hashes of all its pages: an address for one push takes these and no others, and is used once one of them is kept.
create function chil_receive_scan(
    p_tenant bigint, p_scan bigint, p_push bytea, p_owner bigint, p_digest bytea, p_scanner bigint, p_source bigint,
    p_hash bytea, p_byte_count bigint, p_media_type text, p_width integer, p_height integer, p_bytes bytea, p_waiting_max bigint,
    p_staged_until timestamptz, p_request text, p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        missing_notice integer;
        kept_scan bigint;
        staged_object bigint;
    begin
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = p_owner for key share;
        if not found then
            return 'owner';
        end if;
        missing_notice := chil_missing_consent(p_tenant, p_owner, 'collect');
        if missing_notice is not null then
            return 'consent ' || missing_notice || ' collect';
        end if;
        if p_scanner is not null then
            update scanner s set last_scan_at = p_now
             where s.tenant_id = p_tenant and s.scanner_id = p_scanner and s.token_digest = p_digest;
        else
            perform
               from scan_session n
              where n.tenant_id = p_tenant and n.token_digest = p_digest and n.expires_at > p_now
                and (n.used_at is null or n.push_digest = p_push)
                for update;
        end if;
        if not found then
            return 'door';
        end if;
        if (
            select count(*)
              from (select from scan s where s.tenant_id = p_tenant and s.state = 'waiting' limit p_waiting_max) as waiting
        ) >= p_waiting_max then
            return 'full';
        end if;
        -- A page whose drawing failed is tried again. One that waits or is a drawing is not.
        insert into scan as s (
            tenant_id, scan_id, owner_id, hash, byte_count, media_type, scanner_id, source_id, received_at
        ) values (p_tenant, p_scan, p_owner, p_hash, p_byte_count, p_media_type, p_scanner, p_source, p_now)
            on conflict (tenant_id, owner_id, hash, page) do update
            set state = 'waiting', fault = null, ended_at = null, received_at = excluded.received_at,
                scanner_id = excluded.scanner_id, source_id = excluded.source_id
            where s.state = 'failed'
        returning s.scan_id into kept_scan;
        if not found then
            return 'repeated';
        end if;
        if p_bytes is null then
            update image i set staged_until = greatest(i.staged_until, p_staged_until)
             where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash and i.staged_until > p_now
               and (i.object_stored or (i.chunk_count::bigint, i.byte_count) = (
                    select count(*), coalesce(sum(octet_length(c.bytes)), 0)
                      from image_chunk c
                     where c.tenant_id = p_tenant and c.owner_id = p_owner and c.hash = p_hash
                   ));
            if not found then
                if not exists (
                    select from image i
                     where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash and i.staged_until is null
                ) then
                    delete from scan s where s.tenant_id = p_tenant and s.scan_id = kept_scan;
                    return 'unstaged';
                end if;
            end if;
        else
            select i.object_id into staged_object
              from image i
             where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash and i.staged_until is not null
               for update;
            insert into image as i (
                tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, staged_until, bytes
            ) values (
                p_tenant, p_owner, p_hash, p_byte_count, p_media_type, p_width, p_height, 0, p_staged_until, p_bytes
            )
                on conflict (tenant_id, owner_id, hash)
                do update set staged_until = greatest(i.staged_until, excluded.staged_until), chunk_count = 0, bytes = excluded.bytes,
                              object_id = null, object_stored = false
                where i.staged_until is not null;
            perform chil_discard_objects(p_tenant, array[staged_object]);
        end if;
        -- Not before: what was refused leaves the address as it was, for the same push comes again.
        if p_scanner is null then
            update scan_session n set push_digest = p_push, used_at = coalesce(n.used_at, p_now)
             where n.tenant_id = p_tenant and n.token_digest = p_digest;
        end if;
        insert into work (tenant_id, work_id, kind, subject_id, run_at) values (p_tenant, kept_scan, 'scan', kept_scan, now());
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
            values (
                p_tenant, p_scan, p_now, 'service', 'scanner', 'scan.receive', 'scan ' || kept_scan,
                case when p_scanner is null then 'session, drawing ' || p_source else 'scanner ' || p_scanner end, p_request
            );
        perform chil_emit(
            p_tenant, p_scan, 'scan.received', kept_scan::text, '"scanId":' || kept_scan || ',"userId":' || p_owner, p_now
        );
        return 'received';
    end
    $$;

-- Notes a page that is not kept: p_detail says why. The first of a door in a while: a scanner that goes on fills no audit.
create function chil_refuse_scan(
    p_tenant bigint, p_owner bigint, p_scanner bigint, p_detail text, p_request text, p_now timestamptz
) returns void
    language sql volatile
    as $$
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
            values (
                p_tenant, chil_refusal_number('scan.refuse', coalesce(p_scanner, p_owner), p_detail, p_now), p_now, 'service', 'scanner',
                'scan.refuse', coalesce('scanner ' || p_scanner, 'user ' || p_owner), p_detail, p_request
            )
            on conflict do nothing
    $$;

-- The page after this one, of the same document, waits as p_next (null: there is none), whatever became of this one. Whose printed drawing
-- it is its mark says, if it has one.
create function chil_follow_scan(p_tenant bigint, p_scan bigint, p_next bigint, p_now timestamptz) returns void
    language plpgsql volatile
    as $$
    begin
        if p_next is null then
            return;
        end if;
        insert into scan (tenant_id, scan_id, owner_id, hash, page, byte_count, media_type, scanner_id, received_at)
        select p_tenant, p_next, s.owner_id, s.hash, s.page + 1, s.byte_count, s.media_type, s.scanner_id, p_now
          from scan s
         where s.tenant_id = p_tenant and s.scan_id = p_scan
            on conflict (tenant_id, owner_id, hash, page) do nothing;
        if found then
            insert into work (tenant_id, work_id, kind, subject_id, run_at) values (p_tenant, p_next, 'scan', p_next, now());
        end if;
    end
    $$;

-- The drawing of a page: p_hash and what follows is the picture that is shown, the page itself is kept beside it. p_source: the drawing
-- that was printed, by the mark on the page; null: none is read, and what its address says holds. It counts only while it is the owner's.
--   verdict: created | lost (the lease is another's now) | gone (the scan is) | unstaged (bytes are missing: fail the scan, or stage again)
--            | quota … | consent … | owner, as chil_create_drawing says them
create function chil_settle_scan(
    p_tenant bigint, p_scan bigint, p_fence bigint, p_drawing bigint, p_title text, p_hash bytea, p_byte_count bigint, p_media_type text,
    p_width integer, p_height integer, p_bytes bytea, p_next bigint, p_source bigint, p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        owner bigint;
        page_hash bytea;
        page_byte_count bigint;
        source bigint;
        verdict text;
        is_published boolean;
    begin
        select s.owner_id, s.hash, s.byte_count, s.source_id into owner, page_hash, page_byte_count, source
          from scan s
         where s.tenant_id = p_tenant and s.scan_id = p_scan;
        if not found then
            delete from work w where w.tenant_id = p_tenant and w.work_id = p_scan and w.fence = p_fence;
            return 'gone';
        end if;
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = owner for key share;
        perform from work w where w.tenant_id = p_tenant and w.work_id = p_scan and w.fence = p_fence for update;
        if not found then
            return 'lost';
        end if;
        select i.staged_until is null into is_published
          from image i
         where i.tenant_id = p_tenant and i.owner_id = owner and i.hash = page_hash
           for no key update;
        if not found then
            return 'unstaged';
        end if;
        -- The page's bytes are taken together with the picture's: a refusal takes nothing, of windows neither.
        verdict := chil_create_drawing(
            p_tenant, owner, p_drawing, 'SCANNED', p_title, null, p_hash, p_byte_count, p_media_type, p_width, p_height, p_bytes,
            null, p_now, true, case when is_published or page_hash = p_hash then 0 else page_byte_count end
        );
        if verdict <> 'created' then
            return verdict;
        end if;
        if not is_published then
            update image i set staged_until = null
             where i.tenant_id = p_tenant and i.owner_id = owner and i.hash = page_hash;
        end if;
        select d.drawing_id into source
          from drawing d
         where d.tenant_id = p_tenant and d.owner_id = owner and d.drawing_id = coalesce(p_source, source);
        update drawing d set original_hash = page_hash, source_id = source
         where d.tenant_id = p_tenant and d.owner_id = owner and d.drawing_id = p_drawing;
        update scan s set state = 'done', drawing_id = p_drawing, source_id = coalesce(source, s.source_id), ended_at = p_now
         where s.tenant_id = p_tenant and s.scan_id = p_scan;
        delete from work w where w.tenant_id = p_tenant and w.work_id = p_scan;
        perform chil_follow_scan(p_tenant, p_scan, p_next, p_now);
        perform chil_emit(
            p_tenant, p_drawing, 'drawing.created', p_drawing::text, '"drawingId":' || p_drawing || ',"userId":' || owner, p_now
        );
        return 'created';
    end
    $$;

-- Ends a page that becomes no drawing; its bytes go, unless another page of theirs follows. False: the lease is another's now.
create function chil_fail_scan(
    p_tenant bigint, p_scan bigint, p_fence bigint, p_audit bigint, p_fault text, p_next bigint, p_now timestamptz
) returns boolean
    language plpgsql volatile
    as $$
    declare
        owner bigint;
        page_hash bytea;
        page_object bigint;
    begin
        delete from work w where w.tenant_id = p_tenant and w.work_id = p_scan and w.fence = p_fence;
        if not found then
            return false;
        end if;
        update scan s set state = 'failed', fault = p_fault, ended_at = p_now
         where s.tenant_id = p_tenant and s.scan_id = p_scan and s.state = 'waiting'
        returning s.owner_id, s.hash into owner, page_hash;
        if found then
            perform chil_follow_scan(p_tenant, p_scan, p_next, p_now);
            delete from image i
             where i.tenant_id = p_tenant and i.owner_id = owner and i.hash = page_hash and i.staged_until is not null and p_next is null
            returning i.object_id into page_object;
            perform chil_discard_objects(p_tenant, array[page_object]);
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                values (p_tenant, p_audit, p_now, 'service', 'worker', 'scan.fail', 'scan ' || p_scan, p_fault);
        end if;
        return true;
    end
    $$;

grant execute on function
    chil_scan_door(bigint, bytea, timestamptz),
    chil_receive_scan(
        bigint, bigint, bytea, bigint, bytea, bigint, bigint, bytea, bigint, text, integer, integer, bytea, bigint, timestamptz, text,
        timestamptz
    ),
    chil_refuse_scan(bigint, bigint, bigint, text, text, timestamptz),
    chil_settle_scan(
        bigint, bigint, bigint, bigint, text, bytea, bigint, text, integer, integer, bytea, bigint, bigint, timestamptz
    ),
    chil_follow_scan(bigint, bigint, bigint, timestamptz),
    chil_fail_scan(bigint, bigint, bigint, bigint, text, bigint, timestamptz)
    to chil_service;

-- An address for one push, of the page that was printed of a drawing. One that was made of an Idempotency-Key within a day is the same
-- again. Of one drawing p_max are good at once: the oldest end.
--   verdict: opened (o_expires_at: until then) | drawing (none of this owner) | other (the key's address is for another drawing)
create function chil_open_scan_session(
    p_tenant bigint, p_digest bytea, p_owner bigint, p_drawing bigint, p_max integer, p_now timestamptz, p_expires_at timestamptz,
    out verdict text, out o_expires_at timestamptz
)
    language plpgsql volatile
    as $$
    declare
        held_drawing bigint;
    begin
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = p_owner for key share;
        perform
           from drawing d
          where d.tenant_id = p_tenant and d.owner_id = p_owner and d.drawing_id = p_drawing
            for key share;
        if not found then
            verdict := 'drawing';
            return;
        end if;
        delete from scan_session n
         where n.tenant_id = p_tenant and n.token_digest = p_digest and n.created_at <= p_now - interval '24 hours';
        loop
            insert into scan_session (tenant_id, token_digest, owner_id, drawing_id, created_at, expires_at)
                values (p_tenant, p_digest, p_owner, p_drawing, p_now, p_expires_at)
                on conflict do nothing;
            exit when found;
            select n.drawing_id, n.expires_at into held_drawing, o_expires_at
              from scan_session n
             where n.tenant_id = p_tenant and n.token_digest = p_digest;
            if found then
                verdict := case held_drawing when p_drawing then 'opened' else 'other' end;
                return;
            end if;
        end loop;
        delete from scan_session n
         where n.tenant_id = p_tenant and n.token_digest = any (array(
                select x.token_digest
                  from scan_session x
                 where x.tenant_id = p_tenant and x.drawing_id = p_drawing
                 order by x.token_digest = p_digest desc, x.created_at desc
                offset p_max
               ));
        verdict := 'opened';
        o_expires_at := p_expires_at;
    end
    $$;

grant execute on function
    chil_open_scan_session(bigint, bytea, bigint, bigint, integer, timestamptz, timestamptz)
    to chil_service;
