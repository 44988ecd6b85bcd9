import ChilCore
import ChilDatabase
import ChilTestSupport
import Testing

@testable import ChilStore

private struct DatabaseName: Statement {
    static let sql = SQL("select current_database()::text")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

extension TestStore {
    fileprivate func url() async throws -> String {
        try TestCluster.url(database: try await administrator.run(DatabaseName(), .read, of: nil)[0])
    }

    fileprivate func scripts() async throws -> DatabaseScript { DatabaseScript(url: try await url()) }

    /// With an administrator's connection that is opened now, and has the settings of now.
    fileprivate func reopened(_ body: (SharedDatabase) async throws -> Void) async throws {
        try await withDatabase(try await url(), body)
    }
}

private struct Texts: Statement {
    static let sql = SQL("select what from citus_simulation.call order by number")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

private struct KeyTexts: Statement {
    static let sql = SQL(
        "select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1"
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// How a database is spread over several machines. One at a time, for the settings of roles are the cluster's. Against a simulation of Citus (`CitusSimulation`).
@Suite(.serialized) struct DistributionTests {
    private static func catalogue(_ store: TestStore) async throws(DatabaseError) -> DistributionCatalogue {
        try await DistributionCatalogue.read(from: store.administrator)
    }

    @Test func aPlainDatabaseHasAPlanAndNothingIsInTheWay() async throws {
        try await TestStore.withOwnDatabase { store in
            let catalogue = try await Self.catalogue(store)
            #expect(!catalogue.canDistribute)
            #expect(catalogue.obstacles == [])
            let plan = try DistributionPlan(catalogue)
            let kinds = plan.steps.map(\.kind)
            // Keys go before tables, and come back after them, all of them.
            #expect(kinds.count { $0 == .foreignKeyDrop } == kinds.count { $0 == .foreignKeyAdd })
            #expect(kinds.lastIndex(of: .foreignKeyDrop)! < kinds.firstIndex(of: .table)!)
            #expect(kinds.lastIndex(of: .table)! < kinds.firstIndex(of: .foreignKeyAdd)!)
            #expect(kinds.first == .entry)
            let local = TablePlace.named.filter { $0.value == .local }.keys
            #expect(plan.steps.count { $0.kind == .table } == catalogue.tables.count { !local.contains($0.name) })
        }
    }

    @Test func aDatabaseIsDistributedInCitussOrder() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenants = [try await TestTenant(store), try await TestTenant(store)]
            for tenant in tenants { _ = try await tenant.drawing(by: tenant.user()) }
            let keys = try await store.administrator.run(KeyTexts(), .read, of: nil)
            try await store.script(CitusSimulation.script)
            try await store.reopened { again in
                let before = try await DistributionCheck.run(on: again)
                #expect(before.findings.contains { $0.subject == "drawing" && $0.remedy != nil })
                let plan = try DistributionPlan(try await DistributionCatalogue.read(from: again), shards: 64)
                try await plan.run(on: store.scripts()) { _ in }
                let calls = try await again.run(Texts(), .read, of: nil)
                #expect(
                    calls.contains("reference tenant") && calls.contains("by tenant_id drawing")
                        && calls.contains("single work")
                )
                #expect(calls.count { $0.hasSuffix(" 64") } == 1, "the others lie beside the first: \(calls)")
                #expect(calls.lastIndex { $0.hasPrefix("reference") }! < calls.firstIndex { $0.hasPrefix("by ") }!)
                #expect(try await again.run(KeyTexts(), .read, of: nil) == keys)
                let after = try await DistributionCheck.run(on: again)
                #expect(after.findings.filter { $0.remedy != nil } == [])
                // Run again, it has nothing to do.
                let rest = try DistributionPlan(try await DistributionCatalogue.read(from: again))
                #expect(rest.steps == [])
            }
            // The tenants are entered by the other function now; each sees its own.
            for (index, tenant) in tenants.enumerated() {
                let user = try await tenant.user("later")
                let drawing = try await tenant.drawing(by: user)
                #expect(try await DrawingOne(drawing, of: user, in: tenant.id).rows(from: store.service).count == 1)
                #expect(
                    try await DrawingOne(drawing, of: user, in: tenants[1 - index].id).rows(from: store.service).isEmpty
                )
            }
        }
    }

    /// Killed at each step: whoever runs it again ends with the same keys.
    @Test(arguments: [1, 3, 9, 20, 40, 70])
    func whatIsBrokenOffGoesOn(_ step: Int) async throws {
        struct Breaking: ScriptRunner {
            let scripts: DatabaseScript
            let budget: Budget
            func runScript(_ sql: String) async throws(DatabaseError) {
                guard budget.take() else { throw DatabaseError(.unavailable, detail: "killed") }
                try await scripts.runScript(sql)
            }
        }
        try await TestStore.withOwnDatabase { store in
            let keys = try await store.administrator.run(KeyTexts(), .read, of: nil)
            try await store.script(CitusSimulation.script)
            try await store.reopened { again in
                let plan = try DistributionPlan(try await DistributionCatalogue.read(from: again))
                await #expect(throws: DatabaseError.self) {
                    try await plan.run(on: Breaking(scripts: try await store.scripts(), budget: Budget(step))) { _ in }
                }
                let rest = try DistributionPlan(try await DistributionCatalogue.read(from: again))
                try await rest.run(on: store.scripts()) { _ in }
                #expect(try await again.run(KeyTexts(), .read, of: nil) == keys)
                #expect(try await DistributionCheck.run(on: again).findings.filter { $0.remedy != nil } == [])
            }
        }
    }

    @Test(arguments: [
        ("alter table nonce force row level security", "forced row security on nonce"),
        (
            "create function planted() returns trigger language plpgsql as 'begin return new; end'; create trigger planted before insert on nonce for each row execute function planted()",
            "the trigger planted on nonce"
        ),
        ("alter table nonce set unlogged", "the unlogged table nonce"),
        (
            "alter table session drop constraint session_user_fkey, add constraint session_user_fkey foreign key (tenant_id, user_id) references app_user on update cascade",
            "the foreign key session_user_fkey, which would change tenant_id"
        ),
    ])
    func whatCitusRefusesIsNamed(_ ddl: String, _ obstacle: String) async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(ddl)
            let catalogue = try await Self.catalogue(store)
            #expect(throws: DistributionPlan.Fault.obstacles([obstacle])) { try DistributionPlan(catalogue) }
        }
    }

    @Test func aTableThatNobodyHasPlacedIsNamed() async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script("create table planted (note text primary key)")
            let catalogue = try await Self.catalogue(store)
            #expect(throws: DistributionPlan.Fault.unknownTables(["planted"])) { try DistributionPlan(catalogue) }
        }
    }
}

/// So many scripts, and then none.
private final class Budget: Sendable {
    private let left: Locked<Int>
    init(_ count: Int) { left = Locked(count) }
    func take() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}
