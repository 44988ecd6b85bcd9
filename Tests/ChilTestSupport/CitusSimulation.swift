/// Stand-ins for Citus, which is not here: its functions and its catalogue, in a schema of their own. They record what is asked and
/// refuse what the measured Citus 13.2 refused (`docs/growing.md`); they move no row. What a real Citus does has to be seen on one.
package enum CitusSimulation {
    /// For an administrator, in a database of its own. Sessions opened after it find the stand-ins by `search_path`.
    package static let script = """
        create schema citus_simulation;
        create table citus_simulation.pg_dist_partition (
            logicalrelid regclass primary key, partmethod "char", partkey text, colocationid integer, repmodel "char"
        );
        create table citus_simulation.call (number serial primary key, what text);

        create function citus_simulation.column_to_column_name(p_table regclass, p_key text) returns text language sql as $$ select p_key $$;

        create function citus_simulation.refuse(p_table regclass, p_column text) returns void language plpgsql as $$
        declare
            found text;
        begin
            if exists (select from citus_simulation.pg_dist_partition where logicalrelid = p_table) then
                raise exception 'table % is already distributed', p_table;
            end if;
            select conname into found from pg_constraint where contype = 'f' and (conrelid = p_table or confrelid = p_table) limit 1;
            if found is not null then
                raise exception 'cannot create foreign key constraint: % is there before its tables are distributed', found;
            end if;
            if exists (select from pg_trigger where tgrelid = p_table and not tgisinternal) then
                raise exception 'cannot distribute %: it has triggers', p_table;
            end if;
            if p_column is not null and exists (
                select from pg_index i where i.indrelid = p_table and i.indisunique
                   and not (select a.attnum from pg_attribute a where a.attrelid = p_table and a.attname = p_column) = any (i.indkey::smallint[])
            ) then
                raise exception 'cannot create constraint on %: distributed relations cannot have unique constraints without the column', p_table;
            end if;
            if exists (select from pg_policies where tablename = p_table::text and qual ilike '%select%') then
                raise exception 'cannot create policy: subqueries are not supported in policies on distributed tables';
            end if;
        end
        $$;

        create function citus_simulation.create_reference_table(p_table regclass) returns void language plpgsql as $$
        begin
            perform citus_simulation.refuse(p_table, null);
            insert into citus_simulation.pg_dist_partition values (p_table, 'n', null, 1, 't');
            insert into citus_simulation.call (what) values ('reference ' || p_table);
        end
        $$;

        create function citus_simulation.create_distributed_table(
            p_table regclass, p_column text, colocate_with text default 'default', shard_count integer default null
        ) returns void language plpgsql as $$
        declare
            together integer;
        begin
            perform citus_simulation.refuse(p_table, p_column);
            if colocate_with = 'none' then
                select coalesce(max(colocationid), 1) + 1 into together from citus_simulation.pg_dist_partition;
            else
                select colocationid into strict together from citus_simulation.pg_dist_partition where logicalrelid = colocate_with::regclass;
            end if;
            insert into citus_simulation.pg_dist_partition
                values (p_table, case when p_column is null then 'n' else 'h' end, p_column, together, 's');
            insert into citus_simulation.call (what)
                values (concat_ws(' ', case when p_column is null then 'single' else 'by ' || p_column end, p_table, shard_count));
        end
        $$;

        create function citus_simulation.run_command_on_workers(
            p_sql text, out nodename text, out nodeport integer, out success boolean, out result text
        ) returns setof record language plpgsql as $$
        begin
            nodename := 'worker';
            nodeport := 5432;
            success := true;
            execute p_sql into result;
            return next;
        end
        $$;

        -- Citus refuses keys between what is cut and what is not, and those that would set the tenant, when they are added.
        create function citus_simulation.key_added() returns event_trigger language plpgsql as $$
        declare
            k record;
        begin
            for k in
                select c.conname, c.confupdtype, c.confdeltype, a.partmethod as from_method, b.partmethod as to_method
                  from pg_constraint c
                  join citus_simulation.pg_dist_partition a on a.logicalrelid = c.conrelid
                  left join citus_simulation.pg_dist_partition b on b.logicalrelid = c.confrelid
                 where c.contype = 'f'
            loop
                if k.to_method is null or (k.from_method = 'n' and k.to_method = 'h') then
                    raise exception 'cannot create foreign key constraint %: from % to %', k.conname, k.from_method, k.to_method;
                elsif k.confupdtype in ('c', 'n', 'd') or k.confdeltype in ('n', 'd') then
                    raise exception 'cannot create foreign key constraint %: it would set the distribution key', k.conname;
                end if;
            end loop;
        end
        $$;
        grant usage on schema citus_simulation to public;
        grant select on all tables in schema citus_simulation to public;
        create event trigger citus_simulation_keys on ddl_command_end when tag in ('ALTER TABLE') execute function citus_simulation.key_added();

        do $$ begin
            execute format('alter database %I set search_path = "$user", public, citus_simulation', current_database());
        end $$;
        """
}
