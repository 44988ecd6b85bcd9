-- A tenant that is deleted is suspended at once and goes later, when its time has come: until then `tenant resume` undoes it. What goes, goes
-- a bounded number of rows at a time, by the services; from the first on nothing is undone.

-- purge_rows: gone already.
alter table tenant
    add column purge_at   timestamptz,  -- null: it stays
    add column purge_by   text,         -- the operator who said so
    add column purge_rows bigint not null default 0,
    add constraint tenant_purge_check check (purge_at is null or state = 'suspended' and purge_by is not null);

grant update (purge_at, purge_by) on tenant to chil_operator;

-- Removes up to p_max rows of a tenant whose time has come, what refers to others first; with the last ones the tenant itself.
--   verdict: more | purged | not due (it is not deleted, its time has not come, or it is gone)
-- With the owner's rights, as chil_delete_tenant; so it asks for itself which tenant was entered.
create function chil_purge_tenant(p_tenant bigint, p_now timestamptz, p_max integer, out verdict text, out o_rows bigint)
    language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp
    as $$
    declare
        place record;
        ended record;
        gone bigint;
        before bigint;
        objects bigint[];
    begin
        o_rows := 0;
        verdict := 'not due';
        if p_tenant is distinct from chil_entered() then
            raise exception 'another tenant was entered' using errcode = 'insufficient_privilege';
        end if;
        select t.purge_by, t.purge_rows into ended
          from tenant t where t.tenant_id = p_tenant and t.state = 'suspended' and t.purge_at <= p_now for update;
        if not found then
            return;
        end if;
        -- As whoever seals the audit does, before its rows.
        perform from audit_chain c where c.tenant_id = p_tenant for update;
        for place in
            with recursive depth as (
                select c.oid, 0 as level
                  from pg_class c
                  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
                 where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in ('tenant', 'ended_tenant', 'work', 'image')
                union
                select k.conrelid, d.level + 1
                  from depth d
                  join pg_constraint k on k.confrelid = d.oid and k.contype = 'f' and k.conrelid <> k.confrelid
                 where d.level < 32
            )
            select d.oid::regclass as name from depth d group by d.oid order by max(d.level) desc, d.oid
        loop
            execute format(
                'delete from %1$s d where d.tenant_id = $1 and d.ctid = any (array(select g.ctid from %1$s g where g.tenant_id = $1 limit $2))',
                place.name
            ) using p_tenant, p_max - o_rows;
            get diagnostics gone = row_count;
            o_rows := o_rows + gone;
            if o_rows >= p_max then
                update tenant t set purge_rows = t.purge_rows + o_rows where t.tenant_id = p_tenant;
                verdict := 'more';
                return;
            end if;
        end loop;
        -- Objects of images outlive the rows by what it takes to remove them.
        with removed as (
            delete from image i
             using (select g.owner_id, g.hash from image g where g.tenant_id = p_tenant limit p_max - o_rows) as few
             where i.tenant_id = p_tenant and i.owner_id = few.owner_id and i.hash = few.hash
            returning i.object_id
        )
        select count(*), array_agg(r.object_id) filter (where r.object_id is not null) into gone, objects from removed r;
        o_rows := o_rows + gone;
        perform chil_discard_objects(p_tenant, objects);
        if o_rows >= p_max then
            update tenant t set purge_rows = t.purge_rows + o_rows where t.tenant_id = p_tenant;
            verdict := 'more';
            return;
        end if;
        before := o_rows;
        select d.o_rows into gone from chil_delete_tenant(p_tenant, ended.purge_by, p_now) d;
        update ended_tenant e set row_count = e.row_count + ended.purge_rows + before where e.tenant_id = p_tenant;
        o_rows := before + gone;
        verdict := 'purged';
    end
    $$;

revoke all on function chil_purge_tenant(bigint, timestamptz, integer) from public;
grant execute on function chil_purge_tenant(bigint, timestamptz, integer) to chil_service;
