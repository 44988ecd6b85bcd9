package import ChilDatabase

/// The statements that turn a database into a distributed one, in their order. What is done already is not in it, so a plan that was
/// broken off is made anew and goes on.
///
/// The order is Citus's: tables are distributed without foreign keys, reference tables before those that refer to them; the entry of a
/// tenant becomes one that reaches other machines before there are any.
package struct DistributionPlan: Sendable {
    package struct Step: Sendable, Equatable {
        package enum Kind: String, Sendable { case entry, role, foreignKeyDrop, table, foreignKeyAdd }

        package let kind: Kind
        /// What it is about: a role, a table, a foreign key.
        package let subject: String
        /// One transaction: statements in their order.
        package let statements: [String]
    }

    /// Why there is no plan.
    package enum Fault: Error, Equatable {
        case obstacles([String])
        /// Nobody has said where these go.
        case unknownTables([String])
    }

    /// A tenant's tables are cut into so many pieces: enough for as many machines, and for moving pieces between them.
    package static let shardsUsual = 32
    package static let shardsMax = 1_024

    package let steps: [Step]

    package init(_ catalogue: DistributionCatalogue, shards: Int = Self.shardsUsual) throws(Fault) {
        // A foreign key that is in the way of its table is in the way of every other: all are named at once.
        guard catalogue.obstacles.isEmpty else { throw .obstacles(catalogue.obstacles) }
        let unknown = catalogue.tables.filter { TablePlace(of: $0.name, isWalled: $0.isWalled) == nil }.map(\.name)
        guard unknown.isEmpty else { throw .unknownTables(unknown) }

        var steps: [Step] = []
        if !catalogue.isEnteredByStatement {
            steps.append(Step(kind: .entry, subject: "chil_enter", statements: [Self.entry]))
        }
        for role in catalogue.setsAcross.filter({ !$0.value }).keys.sorted() {
            steps.append(
                Step(
                    kind: .role,
                    subject: role,
                    statements: ["alter role \(role) set citus.propagate_set_commands = 'local'"]
                )
            )
        }
        let waiting = Self.waiting(catalogue)
        if !waiting.isEmpty {
            steps += catalogue.foreignKeys.filter { !$0.isDropped }.map(Self.drop)
            steps += Self.tables(waiting, catalogue, shards)
            steps += catalogue.foreignKeys.map(Self.add)
        } else {
            steps += catalogue.foreignKeys.filter(\.isDropped).map(Self.add)
        }
        self.steps = steps
    }

    /// Runs the steps that are left, each a transaction of its own.
    package func run(on scripts: some ScriptRunner, done: (Step) -> Void) async throws(DatabaseError) {
        for step in steps {
            let body = step.statements.map { $0 + ";\n" }.joined()
            try await scripts.runScript("begin;\n\(body)commit;")
            done(step)
        }
    }

    /// `set local` alone is a statement that Citus sends to the other machines; `set_config` is not.
    private static let entry = """
        create or replace function chil_enter(tenant bigint) returns text language plpgsql volatile as \
        $$ begin execute format('set local chil.tenant = %L', tenant); return tenant::text; end $$
        """

    /// Tables that are not where they belong, in the order in which they go.
    private static func waiting(_ catalogue: DistributionCatalogue) -> [(name: String, place: TablePlace)] {
        let homeless = catalogue.tables.filter { $0.place == nil }
            .compactMap { table in
                TablePlace(of: table.name, isWalled: table.isWalled).map { (name: table.name, place: $0) }
            }
        return [TablePlace.reference, .tenant, .single].flatMap { place in homeless.filter { $0.place == place } }
    }

    private static func drop(_ key: DistributionCatalogue.ForeignKey) -> Step {
        Step(
            kind: .foreignKeyDrop,
            subject: key.name,
            statements: [
                "insert into distribution_foreign_key (name, table_name, definition) values "
                    + "(\(literal(key.name)), \(literal(key.table)), \(literal(key.definition)))",
                "alter table \(identifier(key.table)) drop constraint \(identifier(key.name))",
            ]
        )
    }

    private static func add(_ key: DistributionCatalogue.ForeignKey) -> Step {
        Step(
            kind: .foreignKeyAdd,
            subject: key.name,
            statements: [
                "alter table \(identifier(key.table)) add constraint \(identifier(key.name)) \(key.definition)",
                "delete from distribution_foreign_key where name = \(literal(key.name))",
            ]
        )
    }

    private static func tables(
        _ waiting: [(name: String, place: TablePlace)],
        _ catalogue: DistributionCatalogue,
        _ shards: Int
    ) -> [Step] {
        // All lie beside the first; one that is there from before is it.
        var first = catalogue.tables.first { $0.place == .tenant }?.name
        return waiting.map { table in
            let name = literal(table.name)
            let call: String
            switch table.place {
            case .reference: call = "create_reference_table(\(name))"
            case .single, .local: call = "create_distributed_table(\(name), null, colocate_with => 'none')"
            case .tenant:
                if let first {
                    call = "create_distributed_table(\(name), 'tenant_id', colocate_with => \(literal(first)))"
                } else {
                    first = table.name
                    call =
                        "create_distributed_table(\(name), 'tenant_id', colocate_with => 'none', shard_count => \(shards))"
                }
            }
            return Step(kind: .table, subject: table.name, statements: ["select \(call)"])
        }
    }

    private static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    private static func identifier(_ text: String) -> String { "\"" + text.replacing("\"", with: "\"\"") + "\"" }
}
