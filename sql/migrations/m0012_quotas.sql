-- Quotas: what is used, counted as it is taken. What an operator does with limits is in m0021_plans, what is taken for work that may fail
-- in m0020_reservations.
--
-- Why counters and not counting: a count before the act is a race, or a lock over everything. A counter is taken in the transaction of
-- what it pays for, so a crash leaks nothing, and `chiladmin quota recount --check` holds it against the rows.

-- Limits: order and arithmetic. --------------------------------------------------------------------------------------------------

create function chil_metric_rank(p_metric text) returns integer
    language sql immutable
    as $$
        select array_position(
            array['drawings', 'storage_bytes', 'users', 'printers', 'generations', 'motions', 'print_jobs', 'printed_pages',
                  'sessions_per_user', 'requests'],
            p_metric
        )
    $$;

-- Tenant, user, printer; in each the windows from none to month.
create function chil_rank(p_scope text, p_window text) returns integer
    language sql immutable
    as $$
        select array_position(array['tenant', 'user', 'printer'], p_scope) * 8
             + array_position(array['none', 'minute', 'hour', 'day', 'month'], p_window)
    $$;

create function chil_quota_lock(p_tenant bigint, p_metric text) returns bigint
    language sql immutable
    as $$ select hashtextextended('quota ' || p_metric, p_tenant) $$;

-- Where little is left: the soft limit, or 80 % of the hard one, rounded up.
create function chil_warn_at(p_hard bigint, p_soft bigint) returns bigint
    language sql immutable
    as $$ select coalesce(p_soft, p_hard - p_hard / 5) $$;

-- quota.quiet_below of a counter of which so much was told.
create function chil_quiet_below(p_hard bigint, p_soft bigint, p_action text, p_told integer, p_is_alone boolean) returns bigint
    language sql immutable
    as $$
        select case when not p_is_alone then 0
                    when p_told = 0 then least(chil_warn_at(p_hard, p_soft), p_hard)
                    when p_told = 1 then p_hard
                    when p_action = 'deny' then p_hard + 1
                    else 9223372036854775807
               end
    $$;

-- The end of the window that `p_now` lies in, by the tenant's own calendar; infinity where nothing resets. Minutes and hours are counted
-- from where the clock stands, so that one that is set back does not make an hour of two; days and months end at midnight, whatever
-- their length.
create function chil_window_end(p_tenant bigint, p_window text, p_now timestamptz) returns timestamptz
    language sql stable
    as $$
        select case
               when p_window = 'none' then timestamptz 'infinity'
               when p_window in ('minute', 'hour') then date_trunc(p_window, p_now, t.time_zone) + ('1 ' || p_window)::interval
               else (date_trunc(p_window, p_now at time zone t.time_zone) + ('1 ' || p_window)::interval) at time zone t.time_zone
               end
          from tenant t
         where t.tenant_id = p_tenant
    $$;

-- When the limit that refused begins anew; null: it does not. p_refusal as chil_take says it.
create function chil_refusal_end(p_refusal text) returns timestamptz
    language sql immutable
    as $$ select timestamptz 'epoch' + nullif(split_part(p_refusal, ' ', 4), '')::bigint * interval '1 microsecond' $$;

-- Limits: counters. --------------------------------------------------------------------------------------------------------------
--
-- Locks of one metric: its advisory lock (shared by takers, alone for who changes limits), then the counters in the order of chil_rank.
-- A take that stays quiet has none but its one row, which whoever changes limits locks too. Metrics go in the order of chil_metric_rank:
-- drawings, storage_bytes, users; print_jobs, printed_pages.

-- Holds the counter of one limit, and shows it as it stands at p_now: a window that is over counts nothing and has told nothing. One of
-- a user's or printer's is made if there is none yet, from what there is.
create function chil_counter(
    p_tenant bigint, p_metric text, p_scope text, p_window text, p_subject bigint, p_now timestamptz,
    out o_used bigint, out o_resets_at timestamptz, out o_told integer, out o_told_at timestamptz
)
    language plpgsql volatile
    as $$
    begin
        if p_scope = 'tenant' then
            select q.used, q.resets_at, q.told, q.told_at
              into o_used, o_resets_at, o_told, o_told_at
              from quota q
             where q.tenant_id = p_tenant and q.metric = p_metric and q.scope = p_scope and q.window_kind = p_window
               for no key update;
        else
            for attempt in 1..2 loop
                select u.used, u.resets_at, u.told, u.told_at
                  into o_used, o_resets_at, o_told, o_told_at
                  from quota_use u
                 where u.tenant_id = p_tenant and u.subject_id = p_subject and u.metric = p_metric and u.scope = p_scope
                   and u.window_kind = p_window
                   for no key update;
                exit when found;
                -- Who comes second waits here for the first to commit.
                insert into quota_use (tenant_id, subject_id, metric, scope, window_kind, used, resets_at)
                    values (
                        p_tenant, p_subject, p_metric, p_scope, p_window,
                        case p_window when 'none' then chil_count_rows(p_tenant, p_metric, p_subject) else 0 end,
                        chil_window_end(p_tenant, p_window, p_now)
                    )
                    on conflict do nothing;
            end loop;
        end if;
        if o_resets_at <= p_now then
            o_used := 0;
            o_resets_at := chil_window_end(p_tenant, p_window, p_now);
            o_told := 0;
            o_told_at := null;
        end if;
    end
    $$;

-- Says once that little, or nothing, is left of a limit: an audit row, and an event for whoever listens.
-- Its number is made from PostgreSQL's own clock, negative: nobody handed one in, and the service makes no such numbers.
create function chil_tell_quota(
    p_tenant bigint, p_metric text, p_scope text, p_window text, p_subject bigint, p_level integer, p_used bigint, p_hard bigint,
    p_resets_at timestamptz, p_now timestamptz
) returns void
    language plpgsql volatile
    as $$
    declare
        number bigint := -(extract(epoch from clock_timestamp()) * 1000000)::bigint;
        kind text := case p_level when 1 then 'quota.warn' else 'quota.exhausted' end;
        place text := concat_ws(' ', p_metric, p_scope, p_window);
    begin
        for attempt in 1..16 loop
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
                values (
                    p_tenant, number, p_now, 'service', 'quota', kind,
                    place || case p_scope when 'tenant' then '' else ' ' || p_subject end, p_used || ' of ' || p_hard
                )
                on conflict do nothing;
            exit when found;
            number := number - 1;
        end loop;
        perform chil_emit(
            p_tenant, number, kind, (case p_scope when 'tenant' then p_tenant else p_subject end)::text,
            format('"metric":"%s","scope":"%s","window":"%s","used":%s,"limit":%s', p_metric, p_scope, p_window, p_used, p_hard)
                || case p_scope when 'tenant' then '' else format(',"%sId":%s', p_scope, p_subject) end
                || coalesce(',"resetsAt":"' || to_char(nullif(p_resets_at, 'infinity') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '"', ''),
            p_now
        );
    end
    $$;

-- Takes p_amount from every limit of the metric that concerns p_user and p_printer (null: none), or nothing. As chil_take, which is for
-- the usual case and comes here for all others; and, with p_reservation, noted for chil_settle.
create function chil_take_each(
    p_tenant bigint, p_metric text, p_user bigint, p_printer bigint, p_amount bigint, p_reservation bigint, p_expires timestamptz,
    p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        q record;
        c record;
        subject bigint;
        rows_count integer := 0;
        refusal text;
        refusal_end timestamptz;
        is_over boolean;
        new_used bigint;
        new_told integer;
        new_told_at timestamptz;
        level integer;
    begin
        -- From here to the commit nobody changes what limits there are.
        perform pg_advisory_xact_lock_shared(chil_quota_lock(p_tenant, p_metric));
        for q in
            select x.scope, x.window_kind, x.hard_limit, x.action
              from quota x
             where x.tenant_id = p_tenant and x.metric = p_metric
             order by chil_rank(x.scope, x.window_kind)
        loop
            rows_count := rows_count + 1;
            subject := case q.scope when 'tenant' then 0 when 'user' then p_user else p_printer end;
            continue when subject is null;
            select * into c from chil_counter(p_tenant, p_metric, q.scope, q.window_kind, subject, p_now);
            if q.action = 'deny' and c.o_used + p_amount > q.hard_limit and (refusal is null or c.o_resets_at > refusal_end) then
                -- Of several the one that lasts longest: before it ends, nothing helps.
                refusal_end := c.o_resets_at;
                refusal := concat_ws(
                    ' ', p_metric, q.scope, q.window_kind,
                    case when c.o_resets_at < 'infinity' then (extract(epoch from c.o_resets_at) * 1000000)::bigint end
                );
            end if;
        end loop;
        if rows_count = 0 then
            return null;
        end if;

        for q in
            select x.scope, x.window_kind, x.hard_limit, x.soft_limit, x.action
              from quota x
             where x.tenant_id = p_tenant and x.metric = p_metric
             order by chil_rank(x.scope, x.window_kind)
        loop
            subject := case q.scope when 'tenant' then 0 when 'user' then p_user else p_printer end;
            continue when subject is null;
            select * into c from chil_counter(p_tenant, p_metric, q.scope, q.window_kind, subject, p_now);
            is_over := q.action = 'deny' and c.o_used + p_amount > q.hard_limit;
            continue when refusal is not null and (not is_over or c.o_told = 2);
            new_used := case when refusal is null then c.o_used + p_amount else c.o_used end;
            level := case when is_over or new_used >= q.hard_limit then 2
                          when new_used >= chil_warn_at(q.hard_limit, q.soft_limit) then 1
                          else 0
                     end;
            -- What never resets is told again when it was well again in between, but not within a day.
            new_told := case when q.window_kind = 'none' and c.o_used < chil_warn_at(q.hard_limit, q.soft_limit)
                                  and c.o_told_at <= p_now - interval '1 day' then 0
                             else c.o_told
                        end;
            new_told_at := c.o_told_at;
            if level > new_told then
                perform chil_tell_quota(
                    p_tenant, p_metric, q.scope, q.window_kind, subject, level, new_used, q.hard_limit, c.o_resets_at, p_now
                );
                new_told := level;
                new_told_at := p_now;
            end if;
            if q.scope = 'tenant' then
                update quota x
                   set used = new_used, resets_at = c.o_resets_at, told = new_told, told_at = new_told_at,
                       quiet_below = chil_quiet_below(q.hard_limit, q.soft_limit, q.action, new_told, rows_count = 1)
                 where x.tenant_id = p_tenant and x.metric = p_metric and x.scope = q.scope and x.window_kind = q.window_kind;
            else
                update quota_use u
                   set used = new_used, resets_at = c.o_resets_at, told = new_told, told_at = new_told_at
                 where u.tenant_id = p_tenant and u.subject_id = subject and u.metric = p_metric and u.scope = q.scope
                   and u.window_kind = q.window_kind;
            end if;
            if p_reservation is not null and refusal is null then
                insert into quota_reservation (
                    tenant_id, reservation_id, metric, scope, window_kind, subject_id, amount, resets_at, expires_at
                ) values (
                    p_tenant, p_reservation, p_metric, q.scope, q.window_kind, subject, p_amount, c.o_resets_at, p_expires
                );
            end if;
        end loop;
        return refusal;
    end
    $$;

-- Takes p_amount of a metric from every limit that concerns the user and the printer (null: none), or nothing.
-- Null: taken. Else what refused: metric, scope, window, and when that begins anew in microseconds since 1970 (left out where never).
create function chil_take(p_tenant bigint, p_metric text, p_user bigint, p_printer bigint, p_amount bigint, p_now timestamptz)
    returns text
    language plpgsql volatile
    as $$
    declare
        held record;
        subject bigint;
        taken integer := 0;
        is_quiet boolean := true;
    begin
        update quota q
           set used = q.used + p_amount
         where q.tenant_id = p_tenant and q.metric = p_metric and q.used + p_amount < q.quiet_below and q.resets_at > p_now;
        if found then
            return null;
        end if;
        -- From here to the commit nobody changes what limits there are. Trying first is cheaper: an expression, no statement.
        if not pg_try_advisory_xact_lock_shared(chil_quota_lock(p_tenant, p_metric)) then
            perform pg_advisory_xact_lock_shared(chil_quota_lock(p_tenant, p_metric));
        end if;
        if not exists (select from quota q where q.tenant_id = p_tenant and q.metric = p_metric) then
            return null;
        end if;

        -- One update for each limit, while nothing is refused, told (or may be told again) or begun anew.
        for held in
            select x.scope, x.window_kind, x.hard_limit, x.soft_limit, x.action
              from quota x
             where x.tenant_id = p_tenant and x.metric = p_metric
             order by chil_rank(x.scope, x.window_kind)
        loop
            subject := case held.scope when 'tenant' then 0 when 'user' then p_user else p_printer end;
            continue when subject is null;
            if held.scope = 'tenant' then
                update quota q
                   set used = q.used + p_amount
                 where q.tenant_id = p_tenant and q.metric = p_metric and q.scope = 'tenant' and q.window_kind = held.window_kind
                   and q.used + p_amount < chil_quiet_below(q.hard_limit, q.soft_limit, q.action, q.told, true) and q.resets_at > p_now
                   and (q.told = 0 or q.window_kind <> 'none' or q.told_at > p_now - interval '1 day'
                        or q.used >= chil_warn_at(q.hard_limit, q.soft_limit));
            else
                update quota_use u
                   set used = u.used + p_amount
                 where u.tenant_id = p_tenant and u.subject_id = subject and u.metric = p_metric and u.scope = held.scope
                   and u.window_kind = held.window_kind and u.resets_at > p_now
                   and u.used + p_amount < chil_quiet_below(held.hard_limit, held.soft_limit, held.action, u.told, true)
                   and (u.told = 0 or u.window_kind <> 'none' or u.told_at > p_now - interval '1 day'
                        or u.used >= chil_warn_at(held.hard_limit, held.soft_limit));
            end if;
            is_quiet := found;
            exit when not is_quiet;
            taken := taken + 1;
        end loop;
        if is_quiet then
            return null;
        end if;
        for held in
            select x.scope, x.window_kind
              from quota x
             where x.tenant_id = p_tenant and x.metric = p_metric
               and (x.scope = 'tenant' or x.scope = 'user' and p_user is not null or x.scope = 'printer' and p_printer is not null)
             order by chil_rank(x.scope, x.window_kind)
             limit taken
        loop
            update quota q
               set used = q.used - p_amount
             where held.scope = 'tenant' and q.tenant_id = p_tenant and q.metric = p_metric and q.scope = 'tenant'
               and q.window_kind = held.window_kind;
            update quota_use u
               set used = u.used - p_amount
             where u.tenant_id = p_tenant and u.subject_id = case held.scope when 'user' then p_user when 'printer' then p_printer end
               and u.metric = p_metric and u.scope = held.scope and u.window_kind = held.window_kind;
        end loop;
        return chil_take_each(p_tenant, p_metric, p_user, p_printer, p_amount, null, null, p_now);
    end
    $$;

-- Undoes, in the same transaction, a take that was granted.
create function chil_untake(p_tenant bigint, p_metric text, p_user bigint, p_printer bigint, p_amount bigint) returns void
    language plpgsql volatile
    as $$
    begin
        update quota q
           set used = greatest(q.used - p_amount, 0)
         where q.tenant_id = p_tenant and q.metric = p_metric and q.scope = 'tenant';
        update quota_use u
           set used = greatest(u.used - p_amount, 0)
         where u.tenant_id = p_tenant and u.metric = p_metric
           and (u.subject_id = p_user and u.scope = 'user' or u.subject_id = p_printer and u.scope = 'printer');
    end
    $$;

-- Gives back what was taken of something lasting, after its row is gone; windows keep what was used in them. p_user null: only the
-- tenant's.
create function chil_give_back(p_tenant bigint, p_metric text, p_user bigint, p_amount bigint) returns void
    language plpgsql volatile
    as $$
    declare
        held record;
    begin
        update quota q
           set used = greatest(q.used - p_amount, 0),
               quiet_below = case when q.told = 0 or q.used - p_amount >= chil_warn_at(q.hard_limit, q.soft_limit) then q.quiet_below
                                  else chil_warn_at(q.hard_limit, q.soft_limit)
                             end
         where q.tenant_id = p_tenant and q.metric = p_metric and q.scope = 'tenant' and q.window_kind = 'none' and q.quiet_below > 0;
        if found then
            return;
        end if;
        perform pg_advisory_xact_lock_shared(chil_quota_lock(p_tenant, p_metric));
        for held in
            select x.scope
              from quota x
             where x.tenant_id = p_tenant and x.metric = p_metric and x.window_kind = 'none'
             order by chil_rank(x.scope, x.window_kind)
        loop
            if held.scope = 'tenant' then
                update quota x
                   set used = greatest(x.used - p_amount, 0)
                 where x.tenant_id = p_tenant and x.metric = p_metric and x.scope = 'tenant' and x.window_kind = 'none';
            elsif held.scope = 'user' and p_user is not null then
                for attempt in 1..2 loop
                    update quota_use u
                       set used = greatest(u.used - p_amount, 0)
                     where u.tenant_id = p_tenant and u.subject_id = p_user and u.metric = p_metric and u.scope = 'user'
                       and u.window_kind = 'none';
                    exit when found;
                    -- A counter that is made now counts what is gone no more. All rows are counted before a conflict is met: so only here.
                    insert into quota_use (tenant_id, subject_id, metric, scope, window_kind, used, resets_at)
                        values (p_tenant, p_user, p_metric, 'user', 'none', chil_count_rows(p_tenant, p_metric, p_user), 'infinity')
                        on conflict do nothing;
                    exit when found;
                end loop;
            end if;
        end loop;
    end
    $$;

grant execute on function
    chil_metric_rank(text),
    chil_rank(text, text),
    chil_quota_lock(bigint, text),
    chil_warn_at(bigint, bigint),
    chil_quiet_below(bigint, bigint, text, integer, boolean),
    chil_window_end(bigint, text, timestamptz),
    chil_refusal_end(text),
    chil_counter(bigint, text, text, text, bigint, timestamptz),
    chil_tell_quota(bigint, text, text, text, bigint, integer, bigint, bigint, timestamptz, timestamptz),
    chil_take_each(bigint, text, bigint, bigint, bigint, bigint, timestamptz, timestamptz),
    chil_take(bigint, text, bigint, bigint, bigint, timestamptz),
    chil_untake(bigint, text, bigint, bigint, bigint),
    chil_give_back(bigint, text, bigint, bigint)
    to chil_service, chil_operator;
