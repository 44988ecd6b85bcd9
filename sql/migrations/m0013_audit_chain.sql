-- The audit as a chain: each tenant's rows are numbered and sealed after they are written, so that a changed, removed or added one is found.
--
-- Why after, and not in the batch of the act: a chain has one head, and whoever adds to it waits for it. A worker does that within seconds;
-- the act itself pays for a column and two index entries. The digests lie beside the audit: nothing that writes it has to know of them.
--
-- What is proven: rows have not changed since they were sealed, and none has gone, against everybody who cannot compute the chain anew from
-- the first changed row to its head. Who owns the database can: for that an operator keeps a head elsewhere (`chiladmin audit verify`).

-- When the row came, by PostgreSQL's clock: what `at` says is the writer's word. sequence: its place in the chain; null: not sealed yet. Who
-- has something to seal, and what, is read from an index of those rows alone, however long the audit is and however many tenants there are.
alter table audit
    add column recorded_at timestamptz not null default clock_timestamp(),
    add column sequence bigint;
create index audit_recorded on audit (tenant_id, recorded_at, audit_id);
create index audit_unsealed on audit (tenant_id, recorded_at, audit_id) where sequence is null;

-- The service adds rows, and does not say when, nor that they are sealed.
revoke insert on audit from chil_service, chil_operator;
grant insert (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id, address) on audit to chil_service, chil_operator;

-- The chain's head. base_*: where it begins, once its oldest part has had its time.
create table audit_chain (
    tenant_id    bigint        not null,
    sequence     bigint        not null default 0,
    digest       sha256_digest not null default '\x0000000000000000000000000000000000000000000000000000000000000000',
    base_sequence bigint       not null default 0,
    base_digest  sha256_digest not null default '\x0000000000000000000000000000000000000000000000000000000000000000',
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
    constraint audit_link_pkey primary key (tenant_id, sequence)
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

-- Seals rows of the entered tenant that are not sealed yet, at most p_max, in the order in which they were recorded; one whose transaction
-- committed late comes behind rows that were recorded after it. One at a time seals a tenant: verdict `busy` is for everybody else.
--   verdict: sealed | busy
--   o_sealed: rows that are in the chain now. o_is_end: there were no more.
-- With the owner's rights, because the service may not read the audit: hence the tenant, which is asked for here.
create function chil_seal_audit(p_tenant bigint, p_max integer, out verdict text, out o_sealed integer, out o_is_end boolean)
    language plpgsql volatile security definer
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
        head_sequence bigint;
        head_digest bytea;
        a record;
        audit_ids bigint[] := '{}';
        row_digests bytea[] := '{}';
        chain_digests bytea[] := '{}';
    begin
        if p_tenant is distinct from chil_entered() then
            raise exception 'tenant % was not entered', p_tenant using errcode = 'insufficient_privilege';
        end if;
        o_sealed := 0;
        o_is_end := true;
        select c.sequence, c.digest into head_sequence, head_digest
          from audit_chain c where c.tenant_id = p_tenant for update skip locked;
        if not found then
            insert into audit_chain (tenant_id) values (p_tenant) on conflict do nothing;
            if not found then
                verdict := 'busy';
                return;
            end if;
            select c.sequence, c.digest into head_sequence, head_digest from audit_chain c where c.tenant_id = p_tenant for update;
        end if;
        verdict := 'sealed';
        for a in
            select x.audit_id,
                   chil_audit_digest(
                       p_tenant, x.audit_id, x.at, x.recorded_at, x.actor_kind, x.actor, x.action, x.target, x.detail, x.request_id
                   ) as row_digest
              from audit x
             where x.tenant_id = p_tenant and x.sequence is null
             order by x.recorded_at, x.audit_id
             limit p_max
        loop
            o_sealed := o_sealed + 1;
            head_digest := sha256(head_digest || int8send(head_sequence + o_sealed) || a.row_digest);
            audit_ids := audit_ids || a.audit_id;
            row_digests := row_digests || a.row_digest;
            chain_digests := chain_digests || head_digest;
        end loop;
        if o_sealed = 0 then
            return;
        end if;
        o_is_end := o_sealed < p_max;
        insert into audit_link (tenant_id, sequence, audit_id, row_digest, chain_digest, sealed_at)
        select p_tenant, head_sequence + u.place, u.audit_id, u.row_digest, u.chain_digest, now()
          from unnest(audit_ids, row_digests, chain_digests) with ordinality as u (audit_id, row_digest, chain_digest, place);
        update audit x
           set sequence = head_sequence + u.place
          from unnest(audit_ids) with ordinality as u (audit_id, place)
         where x.tenant_id = p_tenant and x.audit_id = u.audit_id;
        update audit_chain c
           set sequence = head_sequence + o_sealed, digest = head_digest
         where c.tenant_id = p_tenant;
    end
    $$;

-- Tenants behind p_after that have rows which are not sealed, at most p_max: one index probe each, and none for anybody else. Only their
-- numbers, which the service knows. o_last: where the next call goes on; null: that was all.
-- With the owner's rights, as above. No tenant is entered: it is the one question of all of them.
create function chil_unsealed_tenants(p_after bigint, p_max integer, out o_last bigint, out o_tenants bigint[])
    language plpgsql stable security definer
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
        o_last := p_after;
        o_tenants := '{}';
        while cardinality(o_tenants) < p_max loop
            select a.tenant_id into o_last
              from audit a
             where a.tenant_id > o_last and a.sequence is null
             order by a.tenant_id limit 1;
            exit when o_last is null;
            o_tenants := o_tenants || o_last;
        end loop;
    end
    $$;

-- Removes the oldest sealed rows that were recorded before p_before, at most p_max, and moves the chain's beginning behind them. Answers how
-- many. Nobody is granted it: retention calls it by a function that knows for how long the tenant's audit is to be kept.
create function chil_prune_audit(p_tenant bigint, p_before timestamptz, p_max integer) returns integer
    language plpgsql volatile
    as $$
    declare
        base bigint;
        last_sequence bigint;
    begin
        select c.base_sequence into base from audit_chain c where c.tenant_id = p_tenant for update;
        -- The first link whose row is still to be kept ends it: the chain has one beginning.
        select max(l.sequence) into last_sequence
          from (
                select x.sequence, bool_and(a.recorded_at is null or a.recorded_at < p_before) over (order by x.sequence) as is_over
                  from audit_link x
                  left join audit a on a.tenant_id = p_tenant and a.audit_id = x.audit_id
                 where x.tenant_id = p_tenant and x.sequence > base and x.sequence <= base + p_max
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
         where l.tenant_id = p_tenant and l.sequence > base and l.sequence <= last_sequence
           and a.tenant_id = p_tenant and a.audit_id = l.audit_id;
        delete from audit_link l where l.tenant_id = p_tenant and l.sequence <= last_sequence;
        return last_sequence - base;
    end
    $$;

-- A row's digest is anybody's to compute who may see the row.
grant execute on function
    chil_audit_digest(bigint, bigint, timestamptz, timestamptz, text, text, text, text, text, text)
    to chil_operator;
grant execute on function chil_seal_audit(bigint, integer), chil_unsealed_tenants(bigint, integer) to chil_service;
