-- The quota of requests: services lease a few ahead, in chunks.
--
-- Why not chil_take for each: every request would write the tenant's one row. A lease counts as used; what is left of it is given back
-- into the windows that it came from, or into none.

-- Leases requests from all limits of the tenant (p_user null) or of one of its users, and takes back p_back of a lease of p_back_of.
-- Granted are p_needed, or up to p_wanted while that is no more than one of p_parts parts of what is left; fewer where less is left:
-- o_refusal then names the limit as chil_take does, of several the one that lasts longest. They are good until o_until.
create function chil_lease_requests(
    p_tenant bigint, p_user bigint, p_wanted bigint, p_needed bigint, p_parts bigint, p_back bigint, p_back_of timestamptz,
    p_now timestamptz,
    out o_granted bigint, out o_until timestamptz, out o_refusal text
)
    language plpgsql volatile
    as $$
    declare
        held record;
        held_scope text := case when p_user is null then 'tenant' else 'user' end;
        subject bigint := coalesce(p_user, 0);
        limits bigint;
        now_used bigint;
        ends_at timestamptz;
        now_told integer;
        now_told_at timestamptz;
        room bigint;
        part bigint;
        level integer;
        refusal_end timestamptz;
    begin
        -- Whoever is being deleted is held first, and leaves no counter behind.
        if p_user is not null then
            perform from app_user u where u.tenant_id = p_tenant and u.user_id = p_user for key share;
            if not found then
                o_granted := greatest(p_wanted, p_needed);
                o_until := p_now + interval '1 second';
                return;
            end if;
        end if;
        -- From here to the commit nobody changes what limits there are.
        perform pg_advisory_xact_lock_shared(chil_quota_lock(p_tenant, 'requests'));
        select count(*) into limits from quota x where x.tenant_id = p_tenant and x.metric = 'requests';
        for held in
            select x.window_kind, x.hard_limit, x.action
              from quota x
             where x.tenant_id = p_tenant and x.metric = 'requests' and x.scope = held_scope
             order by chil_rank(x.scope, x.window_kind)
        loop
            select c.o_used, c.o_resets_at
              into now_used, ends_at
              from chil_counter(p_tenant, 'requests', held_scope, held.window_kind, subject, p_now) c;
            if chil_lease_is_of(p_tenant, held.window_kind, p_back, p_back_of, now_used, ends_at) then
                now_used := now_used - p_back;
            end if;
            if held.action = 'deny' then
                room := least(room, held.hard_limit - now_used);
            end if;
            part := least(
                part,
                case when held.action = 'deny' or now_used < held.hard_limit then held.hard_limit - now_used else held.hard_limit end
                / p_parts
            );
            o_until := least(o_until, ends_at);
        end loop;
        if o_until is null then
            -- No limit any more; the service will hear of it.
            o_granted := greatest(p_wanted, p_needed);
            o_until := p_now + interval '1 second';
            return;
        end if;
        o_granted := greatest(0, least(room, greatest(p_needed, least(p_wanted, greatest(part, 1)))));

        for held in
            select x.window_kind, x.hard_limit, x.soft_limit, x.action
              from quota x
             where x.tenant_id = p_tenant and x.metric = 'requests' and x.scope = held_scope
             order by chil_rank(x.scope, x.window_kind)
        loop
            select c.o_used, c.o_resets_at, c.o_told, c.o_told_at
              into now_used, ends_at, now_told, now_told_at
              from chil_counter(p_tenant, 'requests', held_scope, held.window_kind, subject, p_now) c;
            if chil_lease_is_of(p_tenant, held.window_kind, p_back, p_back_of, now_used, ends_at) then
                now_used := now_used - p_back;
            end if;
            now_used := now_used + o_granted;
            if o_granted < p_needed and held.action = 'deny' and now_used >= held.hard_limit
               and (refusal_end is null or ends_at > refusal_end)
            then
                refusal_end := ends_at;
                o_refusal := concat_ws(
                    ' ', 'requests', held_scope, held.window_kind, (extract(epoch from ends_at) * 1000000)::bigint
                );
            end if;
            level := case when now_used >= held.hard_limit then 2
                          when now_used >= chil_warn_at(held.hard_limit, held.soft_limit) then 1
                          else 0
                     end;
            if level > now_told then
                perform chil_tell_quota(
                    p_tenant, 'requests', held_scope, held.window_kind, subject, level, now_used, held.hard_limit, ends_at, p_now
                );
                now_told := level;
                now_told_at := p_now;
            end if;
            if held_scope = 'tenant' then
                update quota q
                   set used = now_used, resets_at = ends_at, told = now_told, told_at = now_told_at,
                       quiet_below = chil_quiet_below(held.hard_limit, held.soft_limit, held.action, now_told, limits = 1)
                 where q.tenant_id = p_tenant and q.metric = 'requests' and q.scope = 'tenant' and q.window_kind = held.window_kind;
            else
                update quota_use u
                   set used = now_used, resets_at = ends_at, told = now_told, told_at = now_told_at
                 where u.tenant_id = p_tenant and u.subject_id = subject and u.metric = 'requests' and u.scope = 'user'
                   and u.window_kind = held.window_kind;
            end if;
        end loop;
    end
    $$;

-- Whether a lease was taken from the counter as it stands: from its window, and since the limit was set.
create function chil_lease_is_of(
    p_tenant bigint, p_window text, p_leased bigint, p_leased_at timestamptz, p_used bigint, p_resets_at timestamptz
) returns boolean
    language sql stable
    as $$ select p_leased > 0 and p_used >= p_leased and p_resets_at = chil_window_end(p_tenant, p_window, p_leased_at) $$;

grant execute on function
    chil_lease_requests(bigint, bigint, bigint, bigint, bigint, bigint, timestamptz, timestamptz),
    chil_lease_is_of(bigint, text, bigint, timestamptz, bigint, timestamptz)
    to chil_service, chil_operator;
