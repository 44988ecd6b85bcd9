-- How long what is kept of people is kept, and how what a guardian asks for is kept track of.
--
-- Why in tables: the page that everybody can read (GET retention), the operator's list and the sweeper ask the same rows. Each class has a
-- limit from the first day; that a tenant keeps one for ever is a row of its own. Times are counted in the statements that remove, so no
-- service removes by a limit that it remembers.

create domain retention_class as text collate "C"
    constraint retention_class_check check (value in (
        'drawings.generated', 'drawings.scanned', 'drawings.uploaded', 'drawings.animated', 'print-jobs', 'sessions', 'audit',
        'audit-addresses', 'provider-events', 'webhooks', 'receipts', 'consents'
    ));

-- What holds for a tenant that has said nothing else. A reference table.
create table retention_default (
    class retention_class not null,
    days  integer         not null,
    constraint retention_default_pkey primary key (class),
    constraint retention_default_days_check check (days >= 1)
);
insert into retention_default (class, days) values
    ('drawings.generated', 1825), ('drawings.scanned', 1825), ('drawings.uploaded', 1825), ('drawings.animated', 1825),
    ('print-jobs', 365), ('sessions', 30), ('audit', 1095), ('audit-addresses', 90), ('provider-events', 30), ('webhooks', 30),
    ('receipts', 400), ('consents', 1095);

-- What a tenant has said. days null: for ever.
create table retention (
    tenant_id  bigint          not null,
    class      retention_class not null,
    days       integer,
    updated_at timestamptz     not null,
    constraint retention_pkey primary key (tenant_id, class),
    constraint retention_days_check check (days between 1 and 36500)
);

-- Users of whom nothing is removed for its age: a dispute, a court. It stops no deletion that the person asks for.
create table user_hold (
    tenant_id bigint      not null,
    user_id   bigint      not null,
    reason    text        not null,
    held_at   timestamptz not null,
    constraint user_hold_pkey primary key (tenant_id, user_id)
);

-- What a guardian asked the operator to erase. It outlives the account: no foreign key. reference: the operator's own, wiped at the end.
create table erasure_request (
    tenant_id   bigint      not null,
    request_id  bigint      not null,
    user_id     bigint      not null,
    state       text        not null default 'open' collate "C",
    reference   text,
    opened_at   timestamptz not null,
    due_at      timestamptz not null,
    closed_at   timestamptz,
    deletion_id bigint,      -- of account_deletion
    reason      text,        -- of a refusal
    told_at     timestamptz, -- when it was noticed that it is overdue
    constraint erasure_request_pkey primary key (tenant_id, request_id),
    constraint erasure_request_state_check check (state in ('open', 'done', 'refused'))
);
create index erasure_request_due on erasure_request (tenant_id, due_at) where state = 'open';
create unique index erasure_request_open_key on erasure_request (tenant_id, user_id) where state = 'open';

-- Whose account it was: a number that nobody has any more, by which a restored backup forgets again.
alter table account_deletion add column user_id bigint;

create index audit_address on audit (tenant_id, at) where address is not null;
create index session_ended on session (tenant_id, ended_at) where ended_at is not null;

alter table retention add constraint retention_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table user_hold add constraint user_hold_user_fkey
    foreign key (tenant_id, user_id) references app_user (tenant_id, user_id) on delete cascade;
alter table erasure_request add constraint erasure_request_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);

do $walls$
declare
    owned text;
begin
    foreach owned in array array['retention', 'user_hold', 'erasure_request'] loop
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
grant select on retention_default, retention, user_hold to chil_service, chil_operator;
grant insert, delete, update (days, updated_at) on retention to chil_operator;
grant insert, delete, update (reason) on user_hold to chil_operator;
grant select, delete, update (state, reference, closed_at, deletion_id, told_at) on erasure_request to chil_service;
grant select, insert, update (state, reference, closed_at, deletion_id, reason) on erasure_request to chil_operator;
grant delete on account_deletion to chil_service;

-- For how many days the tenant keeps a class; null: for ever.
create function chil_retention_days(p_tenant bigint, p_class text) returns integer
    language sql stable
    as $$
        select case when r.class is null then d.days else r.days end
          from retention_default d
          left join retention r on r.tenant_id = p_tenant and r.class = d.class
         where d.class = p_class
    $$;

-- What is older has had its time; null: nothing has.
create function chil_retained_from(p_tenant bigint, p_class text, p_now timestamptz) returns timestamptz
    language sql stable
    as $$ select p_now - chil_retention_days(p_tenant, p_class) * interval '1 day' $$;

-- Removes drawings that have had their time, with images that no other drawing shows, and gives their quotas back. Looks at p_max drawings
-- behind p_after, in the order of their numbers, which is that of their making; o_last: where the next call goes on, null: that was all.
-- Drawings that somebody holds are left to the next time. Locks: drawing, image, quota, each in the order of its keys.
create function chil_sweep_drawings(
    p_tenant bigint, p_after bigint, p_max integer, p_audit bigint, p_now timestamptz, out o_removed bigint, out o_last bigint
)
    language plpgsql volatile
    as $$
    declare
        generated constant timestamptz := chil_retained_from(p_tenant, 'drawings.generated', p_now);
        scanned constant timestamptz := chil_retained_from(p_tenant, 'drawings.scanned', p_now);
        uploaded constant timestamptz := chil_retained_from(p_tenant, 'drawings.uploaded', p_now);
        animated constant timestamptz := chil_retained_from(p_tenant, 'drawings.animated', p_now);
        -- A number's first bits are the milliseconds since 2024; it may be made five seconds ahead of its time.
        last_number constant bigint :=
            ((extract(epoch from greatest(generated, scanned, uploaded, animated)) * 1000)::bigint - 1704067200000 + 60000) << 11;
        owners bigint[];
        hashes bytea[];
        originals bytea[];  -- m0026_scans
        counts integer[];  -- 0 of those that came to nothing, which count no more
        owner record;
        freed bigint[] := '{}';
        gone_bytes bigint;
        place integer := 0;
    begin
        o_removed := 0;
        select max(w.drawing_id) into o_last
          from (
                select d.drawing_id
                  from drawing d
                 where d.tenant_id = p_tenant and d.drawing_id > p_after and d.drawing_id < last_number
                 order by d.drawing_id limit p_max
               ) as w;
        if o_last is null then
            return;
        end if;
        with over as (
            select d.drawing_id
              from drawing d
             where d.tenant_id = p_tenant and d.drawing_id > p_after and d.drawing_id <= o_last
               and d.created_at < case d.kind when 'GENERATED' then generated when 'SCANNED' then scanned
                                              when 'UPLOADED' then uploaded when 'ANIMATED' then animated end
               and not exists (select from user_hold h where h.tenant_id = p_tenant and h.user_id = d.owner_id)
             order by d.drawing_id
               for update skip locked
        ), gone as (
            delete from drawing d using over where d.tenant_id = p_tenant and d.drawing_id = over.drawing_id
            returning d.owner_id, d.image_hash, d.original_hash, (d.status <> 'FAILED')::integer as is_counted
        )
        select array_agg(g.owner_id), array_agg(g.image_hash::bytea), array_agg(g.original_hash::bytea), array_agg(g.is_counted)
          into owners, hashes, originals, counts
          from gone g;
        if owners is null then
            return;
        end if;
        for owner in select u.id from unnest(owners) as u (id) group by u.id order by u.id loop
            gone_bytes := chil_delete_images(
                p_tenant, owner.id,
                array(
                    select one.hash
                      from unnest(owners, hashes, originals) as u (id, shown, original)
                     cross join unnest(array[u.shown, u.original]) as one (hash)
                     where u.id = owner.id
                )
            );
            freed := freed || gone_bytes;
        end loop;
        for owner in
            select u.id, count(*) as drawings, sum(u.is_counted) as counted
              from unnest(owners, counts) as u (id, is_counted) group by u.id order by u.id
        loop
            o_removed := o_removed + owner.drawings;
            if owner.counted > 0 then
                perform chil_give_back(p_tenant, 'drawings', owner.id, owner.counted);
            end if;
        end loop;
        place := 0;
        for owner in select u.id from unnest(owners) as u (id) group by u.id order by u.id loop
            place := place + 1;
            if freed[place] > 0 then
                perform chil_give_back(p_tenant, 'storage_bytes', owner.id, freed[place]);
            end if;
        end loop;
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, detail)
            values (p_tenant, p_audit, p_now, 'service', 'sweeper', 'retention.drawings', o_removed || ' drawings');
    end
    $$;

-- Removes what has had its time of what the service may add to and nothing else: rows of the audit, addresses in it, and consents of users
-- who are gone. With the owner's rights; by the tenant's own limits, not by the caller's. While a user of the tenant's is held, its audit
-- stays whole: what is said of one is said beside what is said of others.
create function chil_sweep_added(
    p_tenant bigint, p_max integer, p_now timestamptz, out o_audit integer, out o_addresses integer, out o_consents integer
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
        is_held boolean;
    begin
        if p_tenant is distinct from chil_entered() then
            raise exception 'tenant % was not entered', p_tenant using errcode = 'insufficient_privilege';
        end if;
        is_held := exists (select from user_hold h where h.tenant_id = p_tenant);
        o_audit := 0;
        if not is_held and chil_retention_days(p_tenant, 'audit') is not null then
            o_audit := chil_prune_audit(p_tenant, chil_retained_from(p_tenant, 'audit', p_now), p_max);
        end if;
        update audit a set address = null
         where a.tenant_id = p_tenant and a.audit_id = any (array(
                select x.audit_id
                  from audit x
                 where x.tenant_id = p_tenant and x.address is not null and not is_held
                   and x.at < chil_retained_from(p_tenant, 'audit-addresses', p_now)
                 limit p_max
               ));
        get diagnostics o_addresses = row_count;
        -- Counted from the account's end, which was written down as the last row.
        delete from consent c
         where c.tenant_id = p_tenant and c.user_id = any (array(
                select k.user_id
                  from consent k
                 where k.tenant_id = p_tenant and k.at < chil_retained_from(p_tenant, 'consents', p_now)
                   and not exists (select from app_user u where u.tenant_id = p_tenant and u.user_id = k.user_id)
                   and not exists (
                        select from consent n
                         where n.tenant_id = p_tenant and n.user_id = k.user_id
                           and n.at >= chil_retained_from(p_tenant, 'consents', p_now)
                       )
                 order by k.at limit p_max
               ));
        get diagnostics o_consents = row_count;
    end
    $$;

-- Says once of each request for erasure that its time is over, of at most p_max. It lends its number to the row of the audit. Answers how many.
create function chil_tell_overdue(p_tenant bigint, p_max bigint, p_now timestamptz) returns bigint
    language plpgsql volatile
    as $$
    declare
        late record;
        told bigint := 0;
    begin
        for late in
            update erasure_request r set told_at = p_now
             where r.tenant_id = p_tenant and r.request_id = any (array(
                    select e.request_id from erasure_request e
                     where e.tenant_id = p_tenant and e.state = 'open' and e.due_at < p_now and e.told_at is null limit p_max
                   ))
               and r.told_at is null
            returning r.request_id, r.user_id
        loop
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                values (
                    p_tenant, late.request_id, p_now, 'service', 'sweeper', 'erasure.overdue', late.user_id::text,
                    'request ' || late.request_id::bigint
                );
            told := told + 1;
        end loop;
        return told;
    end
    $$;

grant execute on function
    chil_retention_days(bigint, text),
    chil_retained_from(bigint, text, timestamptz)
    to chil_service, chil_operator;
grant execute on function
    chil_sweep_drawings(bigint, bigint, integer, bigint, timestamptz),
    chil_tell_overdue(bigint, bigint, timestamptz),
    chil_sweep_added(bigint, integer, timestamptz)
    to chil_service;
