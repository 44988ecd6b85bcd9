import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Whatever breaks a rule of tenancy, by name. A new table that forgets a rule fails here.
private struct Offenders: Statement {
    static let sql = SQL(
        """
        with owned as (
            select c.oid, c.relname, c.relrowsecurity, c.relpersistence, a.attnum as tenant_column
              from pg_class c
              join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
             where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        ), walled as (
            select * from owned where relname not in ('tenant', 'provider_client', 'work', 'ended_tenant')
        )
        select 'no row security: ' || relname from walled where not relrowsecurity
        union all
        select 'policy missing or half: ' || relname || ' for ' || wanted.role_name
          from walled cross join (values ('chil_service', 'own_rows'), ('chil_operator', 'operator_rows')) as wanted (role_name, name)
         where not exists (
               select from pg_policies p
                where p.tablename = relname and p.policyname = wanted.name and p.roles = array[wanted.role_name]::name[]
                  and p.cmd = 'ALL' and p.qual is not null and p.with_check is not null and p.qual = p.with_check
                  and (wanted.role_name = 'chil_operator'
                       or p.qual = '(tenant_id = (NULLIF(current_setting(''chil.tenant''::text, true), ''''::text))::bigint)')
               )
        union all
        select 'policy too many: ' || tablename || ' ' || policyname
          from pg_policies where policyname not in ('own_rows', 'operator_rows')
        union all
        select 'unique key without tenant_id first: ' || i.indexrelid::regclass
          from pg_index i join owned o on o.oid = i.indrelid
         where i.indisunique and i.indkey[0] <> o.tenant_column
           and i.indexrelid::regclass::text not in ('tenant_slug_key', 'provider_client_production_key')
        union all
        select 'no primary key: ' || relname from owned o
         where not exists (select from pg_constraint k where k.conrelid = o.oid and k.contype = 'p')
        union all
        select 'foreign key without tenant_id first: ' || k.conname
          from pg_constraint k
          join owned o on o.oid = k.conrelid
          join owned f on f.oid = k.confrelid
         where k.contype = 'f' and (k.conkey[1] <> o.tenant_column or k.confkey[1] <> f.tenant_column)
        union all
        select 'set null on a foreign key: ' || conname from pg_constraint where contype = 'f' and confdeltype in ('n', 'd')
        union all
        select 'trigger: ' || tgname from pg_trigger where not tgisinternal
        union all
        select 'unlogged: ' || relname from owned where relpersistence <> 'p'
        union all
        select 'role too strong: ' || rolname from pg_roles
         where rolname in ('chil_service', 'chil_operator')
           and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)
        union all
        select 'member of a role: ' || member::regrole from pg_auth_members
         where member in ('chil_service'::regrole, 'chil_operator'::regrole)
        union all
        select 'not owned by chil_owner: ' || c.relname from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relowner <> 'chil_owner'::regrole
        union all
        select 'function not owned by chil_owner, or with its rights: ' || p.proname from pg_proc p
         where p.pronamespace = 'public'::regnamespace
           and (p.proowner <> 'chil_owner'::regrole
                or p.prosecdef and (p.proname not in ('chil_seal_audit', 'chil_unsealed_tenants', 'chil_sweep_added', 'chil_delete_tenant', 'chil_purge_tenant')
                                    or p.proconfig is distinct from array['search_path=pg_catalog, public, pg_temp']))
        union all
        select 'check constraint on a table that requests write (use a domain): ' || conname from pg_constraint
         where contype = 'c'
           and conrelid = any (array['quota', 'quota_use', 'quota_reservation', 'image', 'image_chunk', 'drawing', 'app_user', 'session', 'spent_token', 'audit', 'idempotency', 'rate_lease']::regclass[])
        union all
        select 'function for everyone: ' || p.proname from pg_proc p
         where p.pronamespace = 'public'::regnamespace and has_function_privilege('public', p.oid, 'execute')
        union all
        select 'grant too wide: ' || relname || ' ' || right_name
          from owned cross join unnest(array['truncate', 'references', 'trigger']) as right_name
         where has_table_privilege('chil_service', oid, right_name) or has_table_privilege('chil_operator', oid, right_name)
        union all
        select 'audit open to the service: ' || right_name from unnest(array['select', 'update', 'delete']) as right_name
         where has_table_privilege('chil_service', 'audit', right_name)
            or (right_name <> 'delete' and has_any_column_privilege('chil_service', 'audit', right_name))
        union all
        select 'audit says when it came: ' || r from unnest(array['chil_service', 'chil_operator']) as r
         where has_column_privilege(r, 'audit', 'recorded_at', 'insert')
        union all
        select 'chain open: ' || t || ' ' || right_name
          from unnest(array['audit_link', 'audit_chain']) as t cross join unnest(array['insert', 'update', 'delete']) as right_name
         where has_table_privilege('chil_service', t, right_name) or has_table_privilege('chil_operator', t, right_name)
        union all
        select 'may change tenant_id: ' || relname from owned
         where has_column_privilege('chil_service', oid, 'tenant_id', 'update')
        union all
        select 'may create in public: ' || r from unnest(array['chil_service', 'chil_operator']) as r
         where has_schema_privilege(r, 'public', 'create')
        """
    )

    func bind(_ values: inout BoundValues) {}

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// Rows that a role sees of all tenant-owned tables that it may read.
private struct VisibleRows: Statement {
    static let sql = SQL(
        """
        select (select count(*) from provider) + (select count(*) from provider_issuer) + (select count(*) from tenant_key)
             + (select count(*) from app_user) + (select count(*) from identity) + (select count(*) from session)
             + (select count(*) from nonce) + (select count(*) from spent_token) + (select count(*) from quota)
             + (select count(*) from quota_use) + (select count(*) from quota_reservation)
             + (select count(*) from image) + (select count(*) from image_chunk) + (select count(*) from drawing)
             + (select count(*) from webhook_endpoint) + (select count(*) from webhook_subscription)
             + (select count(*) from webhook_event) + (select count(*) from webhook_delivery)
             + (select count(*) from printer) + (select count(*) from print_job) + (select count(*) from print_job_event)
             + (select count(*) from idempotency) + (select count(*) from rate_limit) + (select count(*) from user_event)
        """
    )

    func bind(_ values: inout BoundValues) {}

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

@Suite struct SchemaGuardTests {
    @Test("I-08 every table has its wall and its keys, and no role is stronger than it need be")
    func everyTableKeepsTheRules() async throws {
        try await TestStore.with { store in
            let offenders = try await store.administrator.run(Offenders(), .read, of: nil)
            #expect(offenders == [])
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func withoutATenantNothingIsSeen(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store)
            let other = try await TestTenant(store)
            _ = try await tenant.drawing(by: tenant.user())
            #expect(try await store.service.run(VisibleRows(), .read, of: nil) == [0])
            #expect(try await store.service.run(VisibleRows(), .read, of: TenantID(rawValue: 77)) == [0])
            // A provider, its issuer and a key: the other tenant's are not among them.
            #expect(try await store.service.run(VisibleRows(), .read, of: other.id) == [3])
        }
    }

    /// The parameter names one tenant, the batch entered another: the policy is the second lock.
    @Test func theWrongTenantInAParameterIsRefused() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let other = try await TestTenant(store)
            let owner = try await tenant.user()
            let drawing = try await tenant.drawing(by: owner)

            var read = Batch(.read, of: other.id)
            let slot = read.add(DrawingOne(drawing, of: owner, in: tenant.id))
            #expect(try await store.service.run(read).rows(slot).isEmpty)

            var write = Batch(.write, of: other.id)
            write.add(NonceCreate(in: tenant.id, digest: freshDigest(), expires: noon))
            let error = await #expect(throws: DatabaseError.self) { try await store.service.run(write) }
            #expect(error?.code == .forbidden)
            #expect(error?.sqlState == "42501")

            var without = Batch(.write, of: nil)
            without.add(NonceCreate(in: tenant.id, digest: freshDigest(), expires: noon))
            let second = await #expect(throws: DatabaseError.self) { try await store.service.run(without) }
            #expect(second?.code == .forbidden)
        }
    }
}
