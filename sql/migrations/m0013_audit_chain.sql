-- The audit as a chain: each tenant's rows are numbered and sealed after they are written, so that a changed, removed or added one is found.
--
-- Why after, and not in the batch of the act: a chain has one head, and whoever adds to it waits for it. A worker does that within seconds;
-- the act itself pays for a column and an index entry. The digests lie beside the audit: nothing that writes it has to know of them.
--
-- What is proven: rows have not changed since they were sealed, and none has gone, against everybody who cannot compute the chain anew from
-- the first changed row to its head. Who owns the database can: for that an operator keeps a head elsewhere (`chiladmin audit verify`).

-- When the row came, by PostgreSQL's clock: what `at` says is the writer's word.
alter table audit add column recorded_at timestamptz not null default clock_timestamp();
create index audit_recorded on audit (tenant_id, recorded_at, audit_id);

-- The service adds rows, and does not say when.
revoke insert on audit from chil_service, chil_operator;
grant insert (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id, address) on audit to chil_service, chil_operator;

-- The chain's head. base_*: where it begins, once its oldest part has had its time. settled_at: all that was recorded until then is sealed,
-- but for transactions that took longer than `chil_seal_audit` waits for.
create table audit_chain (
    tenant_id    bigint        not null,
    sequence     bigint        not null default 0,
    digest       sha256_digest not null default '\x0000000000000000000000000000000000000000000000000000000000000000',
    base_sequence bigint       not null default 0,
    base_digest  sha256_digest not null default '\x0000000000000000000000000000000000000000000000000000000000000000',
    settled_at   timestamptz   not null default '-infinity',
    constraint audit_chain_pkey primary key (tenant_id)
) with (fillfactor = 50);

-- One link a row of the audit, written by nobody but `chil_seal_audit`, which holds the head: no foreign key looks at that for each of them.
-- chain_digest = SHA-256(the one before, sequence as eight bytes, row_digest); before the first are zeros.
create table audit_link (
    tenant_id    bigint        not null,
    sequence     bigint        not null,
    audit_id     bigint        not null,
    row_digest   sha256_digest not null,
    chain_digest sha256_digest not null,
    sealed_at    timestamptz   not null,
    constraint audit_link_pkey primary key (tenant_id, sequence),
    constraint audit_link_row_key unique (tenant_id, audit_id)
);

alter table audit_chain add constraint audit_chain_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);

-- The service reads neither: it seals through the function below.
do $walls$
declare
    owned text;
begin
    foreach owned in array array['audit_chain', 'audit_link'] loop
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
grant select on audit_chain, audit_link to chil_operator;

-- The digest of a row of the audit: of every column but the address, which has its time. Each column has a fixed length or says its own
-- (bytes, a colon, the text; NULL is `-`), so two rows that differ are never the same bytes. Times are microseconds since 2000, as
-- PostgreSQL keeps them. One expression, which the planner takes into the caller's statement.
create function chil_audit_digest(
    p_tenant bigint, p_audit bigint, p_at timestamptz, p_recorded_at timestamptz, p_actor_kind text, p_actor text, p_action text,
    p_target text, p_detail text, p_request text
) returns bytea
    language sql stable
    as $$
        select sha256(
            'chil audit 1'::bytea || int8send(p_tenant) || int8send(p_audit) || timestamptz_send(p_at) || timestamptz_send(p_recorded_at)
            || convert_to(
                octet_length(p_actor_kind)::text || ':' || p_actor_kind || octet_length(p_actor)::text || ':' || p_actor
                || octet_length(p_action)::text || ':' || p_action
                || coalesce(octet_length(p_target)::text || ':' || p_target, '-') || coalesce(octet_length(p_detail)::text || ':' || p_detail, '-')
                || coalesce(octet_length(p_request)::text || ':' || p_request, '-'),
                'UTF8'
            )
        )
    $$;

-- Seals rows of the entered tenant that are not sealed yet: of those behind (p_after, p_after_audit), at most p_max, in the order in which
-- they were recorded. p_after null: behind what is settled. One at a time seals a tenant: verdict `busy` is for everybody else.
--   verdict: sealed | busy
--   o_sealed: rows that are in the chain now. o_is_end: nothing is behind (o_last, o_last_audit), where the next call goes on.
-- A row is late when its transaction commits after rows that were recorded later. Every call looks back 15 seconds, longer than any
-- statement of the service may take; the worker looks back further from time to time, by p_after.
-- With the owner's rights, because the service may not read the audit: hence the tenant, which is asked for here.
create function chil_seal_audit(
    p_tenant bigint, p_after timestamptz, p_after_audit bigint, p_max integer,
    out verdict text, out o_sealed integer, out o_is_end boolean, out o_last timestamptz, out o_last_audit bigint
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
        began timestamptz := clock_timestamp();
        chain audit_chain;
        a record;
        scanned integer := 0;
        rows bigint[] := '{}';
        row_digests bytea[] := '{}';
        chain_digests bytea[] := '{}';
        first_sequence bigint;
    begin
        if p_tenant is distinct from nullif(current_setting('chil.tenant', true), '')::bigint then
            raise exception 'tenant % was not entered', p_tenant using errcode = 'insufficient_privilege';
        end if;
        o_sealed := 0;
        o_is_end := true;
        select c.* into chain from audit_chain c where c.tenant_id = p_tenant for update skip locked;
        if not found then
            insert into audit_chain (tenant_id) values (p_tenant) on conflict do nothing;
            if found then
                select c.* into chain from audit_chain c where c.tenant_id = p_tenant for update;
            else
                verdict := 'busy';
                return;
            end if;
        end if;
        verdict := 'sealed';
        o_last := coalesce(p_after, chain.settled_at);
        o_last_audit := coalesce(p_after_audit, -9223372036854775808);
        first_sequence := chain.sequence + 1;
        for a in
            select x.audit_id, x.recorded_at,
                   case when not exists (select from audit_link l where l.tenant_id = p_tenant and l.audit_id = x.audit_id)
                        then chil_audit_digest(
                            p_tenant, x.audit_id, x.at, x.recorded_at, x.actor_kind, x.actor, x.action, x.target, x.detail, x.request_id
                        ) end as row_digest  -- null: it is sealed
              from audit x
             where x.tenant_id = p_tenant and (x.recorded_at, x.audit_id) > (o_last, o_last_audit)
             order by x.recorded_at, x.audit_id
             limit p_max
        loop
            scanned := scanned + 1;
            o_last := a.recorded_at;
            o_last_audit := a.audit_id;
            continue when a.row_digest is null;
            chain.sequence := chain.sequence + 1;
            rows := rows || a.audit_id;
            row_digests := row_digests || a.row_digest;
            chain.digest := sha256(chain.digest || int8send(chain.sequence) || a.row_digest);
            chain_digests := chain_digests || chain.digest::bytea;
        end loop;
        o_is_end := scanned < p_max;
        o_sealed := coalesce(array_length(rows, 1), 0);
        if o_sealed > 0 then
            insert into audit_link (tenant_id, sequence, audit_id, row_digest, chain_digest, sealed_at)
            select p_tenant, first_sequence + u.place - 1, u.audit_id, u.row_digest, u.chain_digest, began
              from unnest(rows, row_digests, chain_digests) with ordinality as u (audit_id, row_digest, chain_digest, place);
        end if;
        -- Only a look that began where it is settled, and met no gap, settles more.
        update audit_chain c
           set sequence = chain.sequence, digest = chain.digest,
               settled_at = case
                   when p_after > c.settled_at then c.settled_at
                   when o_is_end then greatest(c.settled_at, began - interval '15 seconds')
                   else greatest(c.settled_at, least(o_last, began - interval '15 seconds'))
               end
         where c.tenant_id = p_tenant
           and (o_sealed > 0 or c.settled_at < (select max(x.recorded_at) from audit x where x.tenant_id = p_tenant));
    end
    $$;

-- Tenants behind p_after that have rows behind what is settled, at most p_max of p_look tenants looked at: one index probe each. Only their
-- numbers, which the service knows. o_last: where the next call goes on; null: that was all.
create function chil_unsealed_tenants(p_after bigint, p_look integer, out o_last bigint, out o_tenants bigint[])
    language plpgsql stable security definer
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
        looked_at integer;
    begin
        select max(t.tenant_id), count(*), array_agg(t.tenant_id order by t.tenant_id) filter (where exists (
                   select from audit a
                    where a.tenant_id = t.tenant_id
                      and a.recorded_at > coalesce((select c.settled_at from audit_chain c where c.tenant_id = t.tenant_id), '-infinity')
               ))
          into o_last, looked_at, o_tenants
          from (select x.tenant_id from tenant x where x.tenant_id > p_after order by x.tenant_id limit p_look) as t;
        if looked_at < p_look then
            o_last := null;
        end if;
        o_tenants := coalesce(o_tenants, '{}');
    end
    $$;

-- Removes the oldest sealed rows that were recorded before p_before, at most p_max, and moves the chain's beginning behind them. Answers how
-- many. Nobody is granted it: retention calls it by a function that knows for how long the tenant's audit is to be kept.
create function chil_prune_audit(p_tenant bigint, p_before timestamptz, p_max integer) returns integer
    language plpgsql volatile
    as $$
    declare
        chain audit_chain;
        last_sequence bigint;
    begin
        select c.* into chain from audit_chain c where c.tenant_id = p_tenant for update;
        -- The first link whose row is still to be kept ends it: the chain has one beginning.
        select max(l.sequence) into last_sequence
          from (
                select x.sequence, bool_and(a.recorded_at is null or a.recorded_at < p_before) over (order by x.sequence) as is_over
                  from audit_link x
                  left join audit a on a.tenant_id = p_tenant and a.audit_id = x.audit_id
                 where x.tenant_id = p_tenant and x.sequence > chain.base_sequence and x.sequence <= chain.base_sequence + p_max
               ) as l
         where l.is_over;
        if last_sequence is null then
            return 0;
        end if;
        update audit_chain c
           set base_sequence = last_sequence,
               base_digest = (select l.chain_digest from audit_link l where l.tenant_id = p_tenant and l.sequence = last_sequence)
         where c.tenant_id = p_tenant;
        delete from audit a
         using audit_link l
         where l.tenant_id = p_tenant and l.sequence > chain.base_sequence and l.sequence <= last_sequence
           and a.tenant_id = p_tenant and a.audit_id = l.audit_id;
        delete from audit_link l where l.tenant_id = p_tenant and l.sequence <= last_sequence;
        return last_sequence - chain.base_sequence;
    end
    $$;

-- A row's digest is anybody's to compute who may see the row.
grant execute on function
    chil_audit_digest(bigint, bigint, timestamptz, timestamptz, text, text, text, text, text, text)
    to chil_operator;
grant execute on function chil_seal_audit(bigint, timestamptz, bigint, integer), chil_unsealed_tenants(bigint, integer) to chil_service;
