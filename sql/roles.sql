-- The three roles and what they may do with this database. Run by an administrator, in the database, as often as you like.
--
-- The wall between tenants is the role: chil_service owns nothing, is a member of nothing and bypasses no policy.
-- chil_owner owns every object and can log in, because Citus moves shards as the owner; no running service uses it.
-- Passwords are not set here: they come from whoever sets the machine up (`alter role … password …`, or a peer rule in pg_hba.conf).

begin;
select pg_advisory_xact_lock(1667787116);  -- one administrator at a time in this database; the number is "chil" in ASCII

do $roles$
declare
    wanted record;
begin
    for wanted in select unnest(array['chil_owner', 'chil_service', 'chil_operator']) as name loop
        if not exists (select from pg_roles where rolname = wanted.name) then
            begin
                execute format(
                    'create role %I login nosuperuser nobypassrls nocreatedb nocreaterole noinherit noreplication',
                    wanted.name
                );
            exception when duplicate_object or unique_violation then
                null;  -- another migration, in another database of this cluster, was faster
            end;
        end if;
    end loop;

    -- Settings of the role rather than of a session: they hold behind PgBouncer too. Written only where they differ, because
    -- two administrators writing the same row of the shared catalogue at once fail.
    --   plan_cache_mode, enable_*   every access path of the service is an index that starts with tenant_id. Its plans must not
    --                               depend on when a connection happened to be opened (an empty table, old statistics).
    --   jit                         costs milliseconds, saves nothing on statements that touch twenty rows.
    for wanted in
        select role_name, setting
          from (values
                ('chil_service', 'statement_timeout=5s'),
                ('chil_service', 'lock_timeout=250ms'),
                ('chil_service', 'idle_in_transaction_session_timeout=10s'),
                ('chil_service', 'jit=off'),
                ('chil_service', 'plan_cache_mode=force_generic_plan'),
                ('chil_service', 'enable_seqscan=off'),
                ('chil_service', 'enable_bitmapscan=off'),
                ('chil_service', 'timezone=UTC'),
                ('chil_operator', 'lock_timeout=5s'),
                ('chil_operator', 'timezone=UTC')
               ) as settings (role_name, setting)
         where not exists (
                select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
                 where r.rolname = role_name and s.setdatabase = 0
                   and lower(setting) = any (select lower(c) from unnest(s.setconfig) as c)
               )
    loop
        execute format(
            'alter role %I set %I = %L',
            wanted.role_name, split_part(wanted.setting, '=', 1), split_part(wanted.setting, '=', 2)
        );
    end loop;

    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to chil_owner, chil_service, chil_operator', current_database());
end
$roles$;

revoke all on schema public from public;
grant usage, create on schema public to chil_owner;
grant usage on schema public to chil_service, chil_operator;
commit;
