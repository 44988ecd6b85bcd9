-- Limits as an operator sets them: one by one, or by a plan that tenants share; and their counts held against the rows.
--
-- Why functions: a limit is set at what there is while nobody takes, so that nothing slips between the count and the first take.

-- Reference tables: named sets of limits. What a tenant has of them is copied into its own rows, so that taking reads one place.
create table quota_plan (
    name       text        not null collate "C",
    created_at timestamptz not null,
    constraint quota_plan_pkey primary key (name),
    constraint quota_plan_name_check check (name ~ '^[a-z0-9][a-z0-9-]{0,62}$')
);
create table plan_quota (
    plan        text         not null collate "C",
    metric      quota_metric not null,
    scope       quota_scope  not null,
    window_kind quota_window not null,
    hard_limit  amount       not null,
    soft_limit  amount,
    action      quota_action not null,
    constraint plan_quota_pkey primary key (plan, metric, scope, window_kind)
);
alter table tenant add column plan text collate "C";

alter table plan_quota add constraint plan_quota_plan_fkey foreign key (plan) references quota_plan (name);
alter table tenant add constraint tenant_plan_fkey foreign key (plan) references quota_plan (name);

grant select, insert, delete on quota_plan to chil_operator;
grant select, insert, delete, update (hard_limit, soft_limit, action) on plan_quota to chil_operator;
grant update (plan) on tenant to chil_operator;

-- What there is of something lasting: of the tenant, or of one of its users. Drawings that came to nothing are none. In the snapshot of the
-- caller's statement.
create function chil_count_rows(p_tenant bigint, p_metric text, p_user bigint) returns bigint
    language plpgsql stable
    as $$
    begin
        if p_metric = 'users' then
            return (select count(*) from app_user u where u.tenant_id = p_tenant);
        elsif p_metric = 'printers' then
            return (select count(*) from printer r where r.tenant_id = p_tenant and r.state <> 'removed');
        elsif p_metric = 'drawings' and p_user is null then
            return (select count(*) from drawing d where d.tenant_id = p_tenant and d.status <> 'FAILED');
        elsif p_metric = 'drawings' then
            return (
                select count(*) from drawing d where d.tenant_id = p_tenant and d.owner_id = p_user and d.status <> 'FAILED'
            );
        elsif p_metric = 'storage_bytes' and p_user is null then
            return (select coalesce(sum(i.byte_count), 0) from image i where i.tenant_id = p_tenant and i.staged_until is null);
        elsif p_metric = 'storage_bytes' then
            return (
                select coalesce(sum(i.byte_count), 0)
                  from image i
                 where i.tenant_id = p_tenant and i.owner_id = p_user and i.staged_until is null
            );
        end if;
        return 0;
    end
    $$;

-- Limits. -----------------------------------------------------------------------------------------------------------------------

-- Keeps takers of a metric out until the commit: those that would come by the advisory lock, and those that need only their row.
create function chil_hold_quotas(p_tenant bigint, p_metric text) returns void
    language plpgsql volatile
    as $$
    begin
        perform pg_advisory_xact_lock(chil_quota_lock(p_tenant, p_metric));
        perform from quota q
          where q.tenant_id = p_tenant and q.metric = p_metric
          order by chil_rank(q.scope, q.window_kind)
            for update;
    end
    $$;

create function chil_set_quiet(p_tenant bigint, p_metric text) returns void
    language sql volatile
    as $$
        update quota q
           set quiet_below = chil_quiet_below(
                   q.hard_limit, q.soft_limit, q.action, q.told,
                   q.scope = 'tenant'
                       and (select count(*) from quota x where x.tenant_id = p_tenant and x.metric = p_metric) = 1
               )
         where q.tenant_id = p_tenant and q.metric = p_metric
    $$;

-- Sets a limit. One on something lasting starts at what there is (of a user: when one first takes or gives), one of a window at nothing;
-- one that was there keeps its count, and tells anew.
create function chil_set_quota(
    p_tenant bigint, p_metric text, p_scope text, p_window text, p_hard bigint, p_soft bigint, p_action text, p_source text,
    p_now timestamptz
) returns void
    language plpgsql volatile
    as $$
    begin
        perform chil_hold_quotas(p_tenant, p_metric);
        insert into quota as q (
            tenant_id, metric, scope, window_kind, hard_limit, soft_limit, action, source, used, resets_at, updated_at
        ) values (
            p_tenant, p_metric, p_scope, p_window, p_hard, p_soft, p_action, p_source,
            case when p_scope = 'tenant' and p_window = 'none' then chil_count_rows(p_tenant, p_metric, null) else 0 end,
            case p_scope when 'tenant' then chil_window_end(p_tenant, p_window, p_now) else 'infinity' end, p_now
        )
        on conflict (tenant_id, metric, scope, window_kind) do update
            set hard_limit = p_hard, soft_limit = p_soft, action = p_action, source = p_source, told = 0, told_at = null, updated_at = p_now;
        if p_scope <> 'tenant' then
            update quota_use u set told = 0, told_at = null
             where u.tenant_id = p_tenant and u.metric = p_metric and u.scope = p_scope and u.window_kind = p_window and u.told > 0;
        end if;
        perform chil_set_quiet(p_tenant, p_metric);
    end
    $$;

-- Removes a limit with its counters, and what is reserved under it: there is nothing to give it back to.
create function chil_drop_quota(p_tenant bigint, p_metric text, p_scope text, p_window text) returns void
    language plpgsql volatile
    as $$
    begin
        perform chil_hold_quotas(p_tenant, p_metric);
        delete from quota q
         where q.tenant_id = p_tenant and q.metric = p_metric and q.scope = p_scope and q.window_kind = p_window;
        delete from quota_use u
         where u.tenant_id = p_tenant and u.metric = p_metric and u.scope = p_scope and u.window_kind = p_window;
        delete from quota_reservation r
         where r.tenant_id = p_tenant and r.metric = p_metric and r.scope = p_scope and r.window_kind = p_window;
        perform chil_set_quiet(p_tenant, p_metric);
    end
    $$;

-- Takes a tenant's own limit away.
--   removed | plan (the plan's holds again) | of-plan (it is the plan's: nothing was done) | missing
create function chil_unset_quota(p_tenant bigint, p_metric text, p_scope text, p_window text, p_now timestamptz) returns text
    language plpgsql volatile
    as $$
    declare
        held_source text;
        p record;
    begin
        perform chil_hold_quotas(p_tenant, p_metric);
        select q.source into held_source
          from quota q
         where q.tenant_id = p_tenant and q.metric = p_metric and q.scope = p_scope and q.window_kind = p_window;
        if held_source is null then
            return 'missing';
        elsif held_source = 'plan' then
            return 'of-plan';
        end if;
        select x.hard_limit, x.soft_limit, x.action into p
          from tenant t
          join plan_quota x on x.plan = t.plan
         where t.tenant_id = p_tenant and x.metric = p_metric and x.scope = p_scope and x.window_kind = p_window;
        if found then
            perform chil_set_quota(p_tenant, p_metric, p_scope, p_window, p.hard_limit, p.soft_limit, p.action, 'plan', p_now);
            return 'plan';
        end if;
        perform chil_drop_quota(p_tenant, p_metric, p_scope, p_window);
        return 'removed';
    end
    $$;

-- Makes a tenant's limits those of its plan, but for its own, which stay. Answers those that changed, each in words for the audit: what it
-- is of, and what it is now.
create function chil_apply_plan(p_tenant bigint, p_now timestamptz) returns text[]
    language plpgsql volatile
    as $$
    declare
        held_plan text;
        k record;
        changed text[] := '{}';
    begin
        select t.plan into held_plan from tenant t where t.tenant_id = p_tenant for share;
        for k in
            select coalesce(x.metric, q.metric) as metric, coalesce(x.scope, q.scope) as scope,
                   coalesce(x.window_kind, q.window_kind) as window_kind, x.hard_limit, x.soft_limit, x.action
              from (select * from plan_quota y where y.plan = held_plan) as x
              full join (select * from quota y where y.tenant_id = p_tenant) as q
                on q.metric = x.metric and q.scope = x.scope and q.window_kind = x.window_kind
             where q.source is distinct from 'tenant'
               and (q.hard_limit, q.soft_limit, q.action) is distinct from (x.hard_limit, x.soft_limit, x.action)
             order by chil_metric_rank(coalesce(x.metric, q.metric)),
                      chil_rank(coalesce(x.scope, q.scope), coalesce(x.window_kind, q.window_kind))
        loop
            if k.hard_limit is null then
                perform chil_drop_quota(p_tenant, k.metric, k.scope, k.window_kind);
            else
                perform chil_set_quota(
                    p_tenant, k.metric, k.scope, k.window_kind, k.hard_limit, k.soft_limit, k.action, 'plan', p_now
                );
            end if;
            changed := changed || concat_ws(
                ' ', k.metric, k.scope, k.window_kind, coalesce(k.hard_limit::text, 'gone'), k.action, 'from ' || k.soft_limit
            );
        end loop;
        return changed;
    end
    $$;

-- Counts held against the rows. -------------------------------------------------------------------------------------------------

-- Counters that differ from what there is, in one snapshot, so that traffic makes no difference. Of something lasting: its rows, and what
-- is reserved. Of a window, whose rows may be gone again: no less than what is reserved in it.
create function chil_quota_differences(p_tenant bigint)
    returns table (o_metric text, o_scope text, o_window text, o_subject bigint, o_used bigint, o_counted bigint)
    language sql stable
    as $$
        select d.*
          from (
               select c.metric::text, c.scope::text, c.window_kind::text, c.subject_id, c.used::bigint,
                      coalesce(
                          (
                              select sum(r.amount)
                                from quota_reservation r
                               where r.tenant_id = p_tenant and r.metric = c.metric and r.scope = c.scope
                                 and r.window_kind = c.window_kind and r.subject_id = c.subject_id and r.resets_at = c.resets_at
                          ),
                          0
                      )::bigint
                      + case when c.window_kind <> 'none' then 0
                             else chil_count_rows(p_tenant, c.metric, case c.scope when 'user' then c.subject_id end)
                        end as counted
                 from (
                      select q.metric, q.scope, q.window_kind, 0::bigint as subject_id, q.used, q.resets_at
                        from quota q
                       where q.tenant_id = p_tenant and q.scope = 'tenant'
                      union all
                      select u.metric, u.scope, u.window_kind, u.subject_id, u.used, u.resets_at
                        from quota_use u
                       where u.tenant_id = p_tenant
                      ) as c
               ) as d (metric, scope, window_kind, subject_id, used, counted)
         where case d.window_kind when 'none' then d.used <> d.counted else d.used < d.counted end
         order by chil_metric_rank(d.metric), chil_rank(d.scope, d.window_kind), d.subject_id
    $$;

-- Sets right what differs, while nobody takes, and answers what it was.
create function chil_recount_quotas(p_tenant bigint)
    returns table (o_metric text, o_scope text, o_window text, o_subject bigint, o_used bigint, o_counted bigint)
    language plpgsql volatile
    as $$
    declare
        m text;
        d record;
    begin
        for m in select x.o_metric from chil_quota_differences(p_tenant) x group by x.o_metric order by chil_metric_rank(x.o_metric) loop
            perform chil_hold_quotas(p_tenant, m);
            perform from quota_use u where u.tenant_id = p_tenant and u.metric = m order by u.subject_id for update;
            for d in select * from chil_quota_differences(p_tenant) x where x.o_metric = m loop
                update quota q
                   set used = d.o_counted, told = case q.window_kind when 'none' then 0 else q.told end
                 where d.o_scope = 'tenant' and q.tenant_id = p_tenant and q.metric = m and q.scope = 'tenant' and q.window_kind = d.o_window;
                update quota_use u set used = d.o_counted
                 where d.o_scope <> 'tenant' and u.tenant_id = p_tenant and u.subject_id = d.o_subject and u.metric = m
                   and u.scope = d.o_scope and u.window_kind = d.o_window;
                select d.o_metric, d.o_scope, d.o_window, d.o_subject, d.o_used, d.o_counted
                  into o_metric, o_scope, o_window, o_subject, o_used, o_counted;
                return next;
            end loop;
            perform chil_set_quiet(p_tenant, m);
        end loop;
    end
    $$;

-- Printers, which an operator adds within the tenant's limit. -------------------------------------------------------------------

-- Null: added. Else what refused, as chil_take says it.
create function chil_add_printer(
    p_tenant bigint, p_printer bigint, p_name text, p_uri text, p_is_default boolean, p_disclosed_to text, p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        refusal text;
    begin
        perform from printer r where r.tenant_id = p_tenant and r.is_default and r.state <> 'removed' for update;
        refusal := chil_take(p_tenant, 'printers', null, null, 1, p_now);
        if refusal is not null then
            return refusal;
        end if;
        if p_is_default then
            update printer r set is_default = false, updated_at = p_now
             where r.tenant_id = p_tenant and r.is_default and r.state <> 'removed';
        end if;
        insert into printer (tenant_id, printer_id, name, kind, uri, is_default, state, disclosed_to, created_at, updated_at)
            values (
                p_tenant, p_printer, p_name, 'ipp', p_uri,
                not exists (select from printer r where r.tenant_id = p_tenant and r.is_default and r.state <> 'removed'),
                'enabled', p_disclosed_to, p_now, p_now
            );
        return null;
    end
    $$;

-- What is counted of a printer that was marked as removed.
create function chil_forget_printer(p_tenant bigint, p_printer bigint) returns void
    language plpgsql volatile
    as $$
    begin
        perform chil_give_back(p_tenant, 'printers', null, 1);
        delete from quota_use u where u.tenant_id = p_tenant and u.subject_id = p_printer;
    end
    $$;

grant execute on function chil_count_rows(bigint, text, bigint) to chil_service, chil_operator;
grant execute on function
    chil_hold_quotas(bigint, text),
    chil_set_quiet(bigint, text),
    chil_set_quota(bigint, text, text, text, bigint, bigint, text, text, timestamptz),
    chil_drop_quota(bigint, text, text, text),
    chil_unset_quota(bigint, text, text, text, timestamptz),
    chil_apply_plan(bigint, timestamptz),
    chil_quota_differences(bigint),
    chil_recount_quotas(bigint),
    chil_add_printer(bigint, bigint, text, text, boolean, text, timestamptz),
    chil_forget_printer(bigint, bigint)
    to chil_operator;
