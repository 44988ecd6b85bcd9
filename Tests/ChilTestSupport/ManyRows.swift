/// Rows in every table of tenants, for what has to be tried with all of them.
package enum ManyRows {
    /// 1,200 rows of the tenants 1, 2 and 3 in each table that has a tenant. The database's checks and foreign keys are gone after it:
    /// any rows do. For the administrator of a database that goes after the test.
    package static let script = """
        do $fill$
        declare
            it record;
        begin
            for it in select conrelid::regclass as place, conname from pg_constraint
                       where contype in ('c', 'f') and connamespace = 'public'::regnamespace and conrelid <> 0 loop
                execute format('alter table %s drop constraint %I', it.place, it.conname);
            end loop;
            for it in select contypid::regtype as place, conname from pg_constraint
                       where contype = 'c' and connamespace = 'public'::regnamespace and contypid <> 0 loop
                execute format('alter domain %s drop constraint %I', it.place, it.conname);
            end loop;
            insert into tenant (tenant_id, slug, name, created_at, updated_at)
                select n, 'tenant-' || n, 'x', now(), now() from generate_series(1, 3) as n;
            for it in
                select c.oid::regclass as place,
                       string_agg(quote_ident(a.attname), ', ' order by a.attnum) as names,
                       string_agg(
                           case when a.attname = 'tenant_id' then '1 + n % 3'
                                else case t.base
                                     when 'bigint'::regtype then 'n' when 'integer'::regtype then 'n' when 'smallint'::regtype then 'n % 100'
                                     when 'boolean'::regtype then 'false' when 'text'::regtype then '''x'' || n'
                                     when 'bytea'::regtype then 'decode(md5(n::text), ''hex'')'
                                     when 'timestamptz'::regtype then 'timestamptz ''2026-01-01'' + n * interval ''1 minute'''
                                     when 'date'::regtype then 'date ''2026-01-01'' + n::integer'
                                     when 'double precision'::regtype then 'n' when 'numeric'::regtype then 'n' when 'real'::regtype then 'n'
                                     when 'jsonb'::regtype then '''{}''' when 'inet'::regtype then '''192.0.2.1'''
                                     when 'interval'::regtype then 'interval ''1 hour''' else 'null' end end, ', ' order by a.attnum
                       ) as made
                  from pg_class c
                  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
                 cross join lateral (
                        select coalesce(nullif(y.typbasetype, 0), y.oid) as base from pg_type y where y.oid = a.atttypid
                       ) as t
                 where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in ('tenant', 'loop_slot', 'schema_migration')
                 group by c.oid
                having bool_or(a.attname = 'tenant_id')
            loop
                execute format('insert into %s (%s) select %s from generate_series(1, 1200) as n on conflict do nothing', it.place, it.names, it.made);
            end loop;
        end
        $fill$;
        """
}
