-- Reservations: what is taken of quotas for work that may fail, and settled or given back when it ends.
--
-- Why rows of their own: what goes back has to go where it came from, and a lease that runs out has to be found.

-- What was taken for work that may fail, a row for each counter, until the work ends. It goes back into the window that it came from
-- (resets_at tells it) or into none. A row whose lease ran out, and whose work is gone, is given back by the sweeper.
create table quota_reservation (
    tenant_id      bigint       not null,
    reservation_id bigint       not null,  -- the number of the work
    metric         quota_metric not null,
    scope          quota_scope  not null,
    window_kind    quota_window not null,
    subject_id     bigint       not null,  -- 0: the tenant
    amount         amount       not null,
    resets_at      timestamptz  not null,
    expires_at     timestamptz  not null,
    constraint quota_reservation_pkey primary key (tenant_id, reservation_id, metric, scope, window_kind)
);
create index quota_reservation_expiry on quota_reservation (tenant_id, expires_at);

alter table quota_reservation add constraint quota_reservation_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);

alter table quota_reservation enable row level security;
create policy own_rows on quota_reservation to chil_service
    using (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
    with check (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint);
create policy operator_rows on quota_reservation to chil_operator using (true) with check (true);
grant select, insert, delete on quota_reservation to chil_service, chil_operator;

-- As chil_take, but noted under the work's number until chil_settle.
create function chil_reserve(
    p_tenant bigint, p_reservation bigint, p_metric text, p_user bigint, p_printer bigint, p_amount bigint, p_expires timestamptz,
    p_now timestamptz
) returns text
    language sql volatile
    as $$ select chil_take_each(p_tenant, p_metric, p_user, p_printer, p_amount, p_reservation, p_expires, p_now) $$;

-- Ends a reservation of a metric: p_actual of it were used (null: all of it, and no more than all), the rest goes back.
create function chil_settle(p_tenant bigint, p_reservation bigint, p_metric text, p_actual bigint) returns void
    language plpgsql volatile
    as $$
    declare
        r record;
    begin
        perform pg_advisory_xact_lock_shared(chil_quota_lock(p_tenant, p_metric));
        for r in
            select x.scope, x.window_kind, x.subject_id, x.amount, x.resets_at
              from quota_reservation x
             where x.tenant_id = p_tenant and x.reservation_id = p_reservation and x.metric = p_metric
             order by chil_rank(x.scope, x.window_kind)
        loop
            delete from quota_reservation x
             where x.tenant_id = p_tenant and x.reservation_id = p_reservation and x.metric = p_metric and x.scope = r.scope
               and x.window_kind = r.window_kind;
            -- Not found: another has settled it meanwhile.
            continue when not found or p_actual is null or p_actual >= r.amount;
            if r.scope = 'tenant' then
                update quota q
                   set used = greatest(q.used - (r.amount - p_actual), 0)
                 where q.tenant_id = p_tenant and q.metric = p_metric and q.scope = 'tenant' and q.window_kind = r.window_kind
                   and q.resets_at = r.resets_at;
            else
                update quota_use u
                   set used = greatest(u.used - (r.amount - p_actual), 0)
                 where u.tenant_id = p_tenant and u.subject_id = r.subject_id and u.metric = p_metric and u.scope = r.scope
                   and u.window_kind = r.window_kind and u.resets_at = r.resets_at;
            end if;
        end loop;
    end
    $$;

-- Gives back reservations whose lease ran out and whose work is gone, at most p_max rows. Answers how many.
create function chil_give_back_lapsed(p_tenant bigint, p_now timestamptz, p_max bigint) returns bigint
    language plpgsql volatile
    as $$
    declare
        r record;
        lapsed bigint[] := '{}';
        metrics text[] := '{}';
        given bigint := 0;
    begin
        for r in
            select x.reservation_id, x.metric
              from quota_reservation x
             where x.tenant_id = p_tenant and x.expires_at < p_now
             order by x.expires_at
        loop
            continue when exists (select from work w where w.tenant_id = p_tenant and w.work_id = r.reservation_id);
            lapsed := lapsed || r.reservation_id;
            metrics := metrics || r.metric::text;
            exit when cardinality(lapsed) >= p_max;
        end loop;
        for r in
            select u.reservation_id, u.metric
              from unnest(lapsed, metrics) as u (reservation_id, metric)
             group by u.reservation_id, u.metric
             order by chil_metric_rank(u.metric), u.reservation_id
        loop
            perform chil_settle(p_tenant, r.reservation_id, r.metric, 0);
            given := given + 1;
        end loop;
        return given;
    end
    $$;

grant execute on function
    chil_reserve(bigint, bigint, text, bigint, bigint, bigint, timestamptz, timestamptz),
    chil_settle(bigint, bigint, text, bigint),
    chil_give_back_lapsed(bigint, timestamptz, bigint)
    to chil_service, chil_operator;
