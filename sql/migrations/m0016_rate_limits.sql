-- Rate limits: what a tenant has instead of the defaults, and the tokens that services share.
create table rate_limit (
    tenant_id  bigint      not null,
    scope      text        not null collate "C",
    class      text        not null collate "C",
    quota      integer     not null,  -- so many requests
    window_s   integer     not null,  -- in so many seconds
    updated_at timestamptz not null,
    constraint rate_limit_pkey primary key (tenant_id, scope, class),
    constraint rate_limit_scope_check check (scope in ('address', 'tenant', 'user')),
    constraint rate_limit_class_check check (class in ('auth', 'read', 'write', 'print')),
    constraint rate_limit_range_check check (quota between 1 and 1000000000 and window_s between 1 and 86400)
);
alter table rate_limit add constraint rate_limit_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table rate_limit enable row level security;
create policy own_rows on rate_limit to chil_service
    using (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
    with check (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint);
create policy operator_rows on rate_limit to chil_operator using (true) with check (true);
grant select on rate_limit to chil_service;
grant select, insert, delete, update (quota, window_s, updated_at) on rate_limit to chil_operator;

-- Buckets of tokens that the loops of all services lease from: one row for whoever has been busy within the last window. The key is a
-- keyed digest of scope, class, tenant and who it is: no address stands here. Of all tenants, like `work`: a loop asks for all its busy
-- keys at once. A missing row is a full bucket, so rows may be lost.
create table rate_lease (
    lease_key bytea            not null,
    quota     integer          not null,
    window_s  integer          not null,
    reported  integer          not null,  -- of the last ask: tokens that were used without a lease
    asked     integer          not null,
    granted   integer          not null,
    balance   double precision not null,  -- tokens left after it
    as_of     timestamptz      not null,
    constraint rate_lease_pkey primary key (lease_key)
) with (fillfactor = 50);
grant select, insert, delete, update (quota, window_s, reported, asked, granted, balance, as_of) on rate_lease to chil_service;

-- What a bucket has after the time since `p_as_of`.
create function chil_rate_refilled(p_balance double precision, p_as_of timestamptz, p_quota integer, p_window_s integer, p_now timestamptz)
    returns double precision
    language sql immutable
    as $$
        select least(p_quota::double precision,
                     p_balance + greatest(extract(epoch from p_now - p_as_of)::double precision, 0) * p_quota / p_window_s)
    $$;

-- How many whole tokens of `p_have` an ask gets.
create function chil_rate_granted(p_have double precision, p_asked integer) returns integer
    language sql immutable
    as $$ select greatest(0, least(p_asked, floor(p_have)::bigint))::integer $$;

grant execute on function
    chil_rate_refilled(double precision, timestamptz, integer, integer, timestamptz),
    chil_rate_granted(double precision, integer)
    to chil_service;
