-- What spreading the database over several machines (Citus, by `chiladmin distribute`) needs of the schema, and the end of a tenant.
--
-- Why a table of foreign keys: none may be there while tables are distributed, and whoever dropped them may be killed before they are
-- added again. They are written down in the transaction that drops them. Two operations become functions, as in m0003_decisions: chained
-- writes are slow there, and no statement joins the queue with a tenant's table, which may lie on another machine.

-- Foreign keys that a distribution has dropped and not added again yet. Empty at all other times.
create table distribution_foreign_key (
    name       text not null collate "C",
    table_name text not null collate "C",
    definition text not null,
    constraint distribution_foreign_key_pkey primary key (name)
);

-- Tenants that were deleted: the number, so that nothing of an old one (a token, a backup) is taken for a new one's by its slug.
create table ended_tenant (
    tenant_id bigint      not null,
    slug      text        not null collate "C",
    ended_at  timestamptz not null,
    ended_by  text        not null,
    row_count bigint      not null,
    constraint ended_tenant_pkey primary key (tenant_id)
);

-- Deletes a suspended tenant with every row that names it, whichever table it is in. For the operator, with the owner's rights: nobody
-- else may delete most of these rows, and the operator only a whole tenant's.
--   verdict: deleted | serving (suspend it first, so that no request is under way) | missing
-- Which tables there are says the catalogue, so that a new one is never forgotten; referencing tables come before the referenced.
create function chil_delete_tenant(
    p_tenant bigint, p_operator text, p_now timestamptz, out verdict text, out o_rows bigint
)
    language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp
    as $$
    declare
        place record;
        gone bigint;
        ended record;
        objects bigint[];
    begin
        o_rows := 0;
        select t.slug, t.state into ended from tenant t where t.tenant_id = p_tenant for update;
        if not found then
            verdict := 'missing';
            return;
        elsif ended.state <> 'suspended' then
            verdict := 'serving';
            return;
        end if;
        -- As whoever seals the audit does, before its rows.
        perform from audit_chain c where c.tenant_id = p_tenant for update;
        -- Objects of images outlive the rows by what it takes to remove them, those that wait for it already too.
        objects := array(select i.object_id from image i where i.tenant_id = p_tenant and i.object_id is not null);
        objects := objects || array(select w.subject_id from work w where w.tenant_id = p_tenant and w.kind = 'discard');
        for place in
            with recursive depth as (
                select c.oid, 0 as level
                  from pg_class c
                  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
                 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
                   and c.relname not in ('tenant', 'ended_tenant')
                union
                select k.conrelid, d.level + 1
                  from depth d
                  join pg_constraint k on k.confrelid = d.oid and k.contype = 'f' and k.conrelid <> k.confrelid
                 where d.level < 32
            )
            select d.oid::regclass as name from depth d group by d.oid order by max(d.level) desc, d.oid
        loop
            execute format('delete from %s where tenant_id = $1', place.name) using p_tenant;
            get diagnostics gone = row_count;
            o_rows := o_rows + gone;
        end loop;
        delete from tenant t where t.tenant_id = p_tenant;
        perform chil_discard_objects(p_tenant, objects);
        insert into ended_tenant (tenant_id, slug, ended_at, ended_by, row_count)
            values (p_tenant, ended.slug, p_now, p_operator, o_rows + 1);
        perform pg_notify('chil', 'tenant ' || p_tenant);
        verdict := 'deleted';
    end
    $$;

-- Keeps what a provider said of our credentials (null: they work), and audits and announces it where that is news. False: it is none.
create function chil_set_credential_fault(
    p_tenant bigint, p_provider bigint, p_fault text, p_audit bigint, p_actor_kind text, p_actor text, p_now timestamptz
) returns boolean
    language plpgsql volatile
    as $$
    begin
        update provider p set credential_fault = p_fault
         where p.tenant_id = p_tenant and p.provider_id = p_provider and (p.credential_fault is null) <> (p_fault is null);
        if not found then
            return false;
        end if;
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
            values (
                p_tenant, p_audit, p_now, p_actor_kind, p_actor,
                case when p_fault is null then 'provider.accepted' else 'provider.refused' end, p_provider::text, p_fault
            );
        perform pg_notify('chil', 'tenant ' || p_tenant);
        return true;
    end
    $$;

-- The end of a cancellation, by the worker that holds its work. False: the lease is another's now, nothing was written.
create function chil_end_cancellation(p_tenant bigint, p_work bigint, p_fence bigint, p_job bigint) returns boolean
    language plpgsql volatile
    as $$
    begin
        delete from work w where w.tenant_id = p_tenant and w.work_id = p_work and w.fence = p_fence;
        if not found then
            return false;
        end if;
        delete from print_cancellation c where c.tenant_id = p_tenant and c.job_id = p_job;
        return true;
    end
    $$;

grant execute on function chil_set_credential_fault(bigint, bigint, text, bigint, text, text, timestamptz) to chil_service, chil_operator;
grant execute on function chil_end_cancellation(bigint, bigint, bigint, bigint) to chil_service;
grant select on ended_tenant to chil_operator;
grant execute on function chil_delete_tenant(bigint, text, timestamptz) to chil_operator;
