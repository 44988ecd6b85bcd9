import ChilDatabase
import ChilStore

/// What in the catalogue breaks a rule of growing past one machine: the rule's number, and what.
struct RuleBreaks: Statement {
    static let sql = SQL(
        """
        with place as (
            select c.oid, c.relname::text as name, c.relrowsecurity as is_walled, c.relforcerowsecurity as is_forced, c.relpersistence,
                   (select a.attnum from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as tenant_column,
                   (select a.atttypid from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as tenant_type
              from pg_class c
             where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        )
        select 1, 'a unique key without tenant_id first: ' || i.indexrelid::regclass
          from pg_index i join place p on p.oid = i.indrelid
         where p.is_walled and i.indisunique and i.indkey[0] is distinct from p.tenant_column
        union all
        select 1, 'no primary key: ' || name from place where not exists (select from pg_constraint k where k.conrelid = place.oid and k.contype = 'p')
        union all
        select 1, 'tenant_id of another type: ' || name from place where tenant_type <> 'bigint'::regtype
        union all
        select 1, 'row security without tenant_id: ' || name from place where is_walled and tenant_column is null
        union all
        select 1, 'a foreign key without tenant_id first: ' || k.conname
          from pg_constraint k
          join place p on p.oid = k.conrelid and p.is_walled
          join place f on f.oid = k.confrelid
         where k.contype = 'f'
           and (k.conkey[1] <> p.tenant_column or (f.tenant_column is not null and k.confkey[1] <> f.tenant_column))
        union all
        select 1, 'a foreign key of what is whole to what is cut: ' || k.conname
          from pg_constraint k join place p on p.oid = k.conrelid join place f on f.oid = k.confrelid
         where k.contype = 'f' and not p.is_walled and f.is_walled
        union all
        select 1, 'a foreign key that would set tenant_id: ' || conname
          from pg_constraint where contype = 'f' and (confdeltype in ('n', 'd') or confupdtype in ('c', 'n', 'd'))
        union all
        select 1, 'a trigger: ' || tgname from pg_trigger where not tgisinternal
        union all
        select 1, 'unlogged: ' || name from place where relpersistence <> 'p'
        union all
        select 1, 'a number from a sequence that is no bigint: ' || p.name || '.' || a.attname
          from place p join pg_attribute a on a.attrelid = p.oid and not a.attisdropped
          left join pg_attrdef d on d.adrelid = p.oid and d.adnum = a.attnum
         where (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%') and a.atttypid <> 'bigint'::regtype
        union all
        select 2, 'another policy than the two: ' || tablename || ' ' || policyname
          from pg_policies
         where schemaname = 'public'
           and not (policyname = 'operator_rows' and qual = 'true' and with_check = 'true')
           and not (policyname = 'own_rows' and qual = with_check
                    and qual = '(tenant_id = (NULLIF(current_setting(''chil.tenant''::text, true), ''''::text))::bigint)')
        union all
        select 3, 'forced row security: ' || name from place where is_forced
        union all
        select 3, 'a table of tenants without row security: ' || name from place
         where tenant_column is not null and not is_walled and name <> all (string_to_array($1, ' '))
        union all
        select 3, 'a role that is more than it may be: ' || rolname from pg_roles
         where rolname in ('chil_service', 'chil_operator') and (rolsuper or rolbypassrls)
        union all
        select 3, 'a role that is a member of another: ' || m.member::regrole from pg_auth_members m
         where m.member in ('chil_service'::regrole, 'chil_operator'::regrole)
        union all
        select 3, 'owned by a role that serves: ' || relname from pg_class
         where relowner in ('chil_service'::regrole, 'chil_operator'::regrole)
        union all
        select 3, 'the owner may not log in' from pg_roles where rolname = 'chil_owner' and not rolcanlogin
        union all
        select 4, 'nobody has said where it goes: ' || name from place where not is_walled and name <> all (string_to_array($1, ' '))
         order by 1, 2
        """
    )

    func bind(_ values: inout BoundValues) { values.append(TablePlace.named.keys.sorted().joined(separator: " ")) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> (rule: Int, what: String) {
        (Int(try row.int32(0)), row.text(1))
    }
}

/// A function of the schema.
struct SchemaFunction: Sendable {
    let name: String
    let source: String
    /// With results.
    let arguments: [(name: String, type: String)]
    let body: FunctionBody
    let isServices: Bool
    /// It runs with the owner's rights.
    let isOwners: Bool
    /// It may write.
    let isVolatile: Bool

    /// It is asked about no tenant, and no policy holds it to one: of all tenants. There is a reason for it in `sql/`.
    var isOfAllTenants: Bool { isOwners && !arguments.contains { $0.name == "p_tenant" } }
}

struct Functions: Statement {
    static let sql = SQL(
        """
        select p.proname::text, p.prosrc, l.lanname::text,
               coalesce(array_to_string(p.proargnames, ' '), ''),
               (select coalesce(string_agg(format_type(t, null), '|' order by n), '')
                  from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as a (t, n)),
               has_function_privilege('chil_service', p.oid, 'execute'),
               p.prosecdef, p.provolatile = 'v'
          from pg_proc p join pg_language l on l.oid = p.prolang
         where p.pronamespace = 'public'::regnamespace and p.proname like 'chil\\_%'
         order by 1
        """
    )

    func bind(_ values: inout BoundValues) {}

    static func row(_ row: ResultRow) throws(DatabaseError) -> SchemaFunction {
        let names = row.text(3).split(separator: " ").map(String.init)
        let types = row.text(4).split(separator: "|").map(String.init)
        let arguments = Array(zip(names, types)).map { (name: $0, type: $1) }
        return SchemaFunction(
            name: row.text(0),
            source: row.text(1),
            arguments: arguments,
            body: FunctionBody(row.text(1), arguments: arguments, language: row.text(2)),
            isServices: try row.bool(5),
            isOwners: try row.bool(6),
            isVolatile: try row.bool(7)
        )
    }
}

/// Tables by who owns their rows.
struct TablesByOwner: Statement {
    static let sql = SQL(
        "select relname::text, relrowsecurity from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1"
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> (name: String, isWalled: Bool) {
        (row.text(0), try row.bool(1))
    }
}
