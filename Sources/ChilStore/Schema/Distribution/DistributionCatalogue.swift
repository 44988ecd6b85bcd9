package import ChilDatabase

/// What PostgreSQL's catalogue says of the schema, as far as a distribution needs it. Asked by an administrator.
package struct DistributionCatalogue: Sendable {
    package struct Table: Sendable, Equatable {
        package let name: String
        package let isWalled: Bool
        /// Where Citus has it; `nil`: it is an ordinary table still.
        package let place: TablePlace?
        /// Tables of one number lie together.
        package let colocation: Int64?
    }

    package struct ForeignKey: Sendable, Equatable {
        package let name: String
        package let table: String
        /// As `pg_get_constraintdef` writes it.
        package let definition: String
        /// Dropped by a distribution that has not added it again.
        package let isDropped: Bool
    }

    package let tables: [Table]
    package let foreignKeys: [ForeignKey]
    /// Citus is here.
    package let canDistribute: Bool
    package let isEnteredByStatement: Bool
    /// By role, whether its `set local` reaches other machines.
    package let setsAcross: [String: Bool]
    /// What else stands in the way, in the operator's words.
    package let obstacles: [String]

    package static func read(from database: some Database) async throws(DatabaseError) -> DistributionCatalogue {
        let canDistribute = try await database.run(CitusLook(), .read, of: nil).first ?? false
        return DistributionCatalogue(
            tables: canDistribute
                ? try await database.run(PlacedTables(), .read, of: nil)
                : try await database.run(PlainTables(), .read, of: nil),
            foreignKeys: try await database.run(ForeignKeyLook(), .read, of: nil),
            canDistribute: canDistribute,
            isEnteredByStatement: try await database.run(EnterLook(), .read, of: nil).first ?? false,
            setsAcross: Dictionary(uniqueKeysWithValues: try await database.run(RoleLook(), .read, of: nil)),
            obstacles: try await database.run(Obstacles(), .read, of: nil)
        )
    }
}

private struct CitusLook: Statement {
    static let sql = SQL(
        "select to_regproc('create_distributed_table') is not null and to_regclass('pg_dist_partition') is not null"
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}

private enum TableLook {
    static let walled = """
        c.relrowsecurity and exists (
            select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
        )
        """
    static let tables = "c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition"

    static func row(_ row: ResultRow) throws(DatabaseError) -> DistributionCatalogue.Table {
        DistributionCatalogue.Table(
            name: row.text(0),
            isWalled: try row.bool(1),
            place: row.textOrNil(2).flatMap { TablePlace(rawValue: $0) },
            colocation: try row.int64OrNil(3)
        )
    }
}

private struct PlainTables: Statement {
    static let sql = SQL(
        "select c.relname::text, \(TableLook.walled), null::text, null::bigint from pg_class c where \(TableLook.tables) order by c.relname"
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> DistributionCatalogue.Table { try TableLook.row(row) }
}

/// With Citus's own catalogue: `h` is cut by a column; `n` is whole, on all machines (`t`) or on one (`s`).
private struct PlacedTables: Statement {
    static let sql = SQL(
        """
        select c.relname::text, \(TableLook.walled),
               case when p.partmethod = 'h' and column_to_column_name(p.logicalrelid, p.partkey) = 'tenant_id' then 'tenant'
                    when p.partmethod = 'n' and p.repmodel = 't' then 'reference'
                    when p.partmethod = 'n' then 'single' end,
               p.colocationid::bigint
          from pg_class c
          left join pg_dist_partition p on p.logicalrelid = c.oid
         where \(TableLook.tables)
         order by c.relname
        """
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> DistributionCatalogue.Table { try TableLook.row(row) }
}

private struct ForeignKeyLook: Statement {
    static let sql = SQL(
        """
        select k.conname::text, c.relname::text, pg_get_constraintdef(k.oid), false
          from pg_constraint k
          join pg_class c on c.oid = k.conrelid
         where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = 'public'::regnamespace
        union all
        select name, table_name, definition, true from distribution_foreign_key
         order by 2, 1
        """
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> DistributionCatalogue.ForeignKey {
        DistributionCatalogue.ForeignKey(
            name: row.text(0),
            table: row.text(1),
            definition: row.text(2),
            isDropped: try row.bool(3)
        )
    }
}

private struct RoleLook: Statement {
    static let sql = SQL(
        """
        select r.rolname::text, exists (
                   select from pg_db_role_setting s
                    where s.setrole = r.oid and s.setdatabase = 0 and 'citus.propagate_set_commands=local' = any (s.setconfig)
               )
          from pg_roles r where r.rolname in ('chil_service', 'chil_operator') order by 1
        """
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> (String, Bool) { (row.text(0), try row.bool(1)) }
}

private struct EnterLook: Statement {
    static let sql = SQL(
        """
        select l.lanname = 'plpgsql' from pg_proc p join pg_language l on l.oid = p.prolang
         where p.proname = 'chil_enter' and p.pronamespace = 'public'::regnamespace
        """
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}

/// What Citus would refuse, or move wrongly.
private struct Obstacles: Statement {
    static let sql = SQL(
        """
        select 'the trigger ' || tgname || ' on ' || tgrelid::regclass from pg_trigger t join pg_class c on c.oid = t.tgrelid
         where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
        union all
        select 'forced row security on ' || relname from pg_class
         where relnamespace = 'public'::regnamespace and relforcerowsecurity
        union all
        select 'the unlogged table ' || relname from pg_class
         where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'u'
        union all
        select 'a sub-select in the policy ' || policyname || ' of ' || tablename from pg_policies
         where schemaname = 'public' and (qual ilike '%select%' or with_check ilike '%select%')
        union all
        select 'the foreign key ' || conname || ', which would change tenant_id' from pg_constraint
         where contype = 'f' and connamespace = 'public'::regnamespace
           and (confupdtype in ('c', 'n', 'd') or confdeltype in ('n', 'd'))
        union all
        select 'the owner of the tables, chil_owner, who may not log in' from pg_roles where rolname = 'chil_owner' and not rolcanlogin
         order by 1
        """
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
