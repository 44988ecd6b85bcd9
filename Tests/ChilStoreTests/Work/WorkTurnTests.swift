import ChilCore
import ChilDatabase
import ChilTestSupport
import Foundation
import Testing

@testable import ChilStore

/// A statement as it ran, told by PostgreSQL.
private struct Explained<Inner: Statement>: Statement {
    let inner: Inner

    static var sql: SQL { SQL("explain (analyze, costs off, timing off, format json) " + Inner.sql.text) }

    func bind(_ values: inout BoundValues) { inner.bind(&values) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// Who is behind somebody's backlog. On databases of their own: the queue is of all tenants.
@Suite struct WorkTurnTests {
    private static let small = TenantID(rawValue: 2)
    private static let large = TenantID(rawValue: 1)

    /// A backlog of one tenant's in one lane, overdue since yesterday; and what came a moment ago: for another printer of the tenant's, and
    /// of another tenant, whose printer has the same number.
    private static func fill(_ kind: String, _ count: Int) -> String {
        """
        insert into work (tenant_id, work_id, kind, subject_id, lane, run_at)
            select 1, n, '\(kind)', 7, 7, now() - interval '1 day' + n * interval '1 millisecond' from generate_series(1, \(count)) n;
        insert into work (tenant_id, work_id, kind, subject_id, lane, run_at) values
            (1, 1000001, '\(kind)', 8, 8, now()), (2, 1000002, '\(kind)', 7, 7, now()), (2, 1000003, '\(kind)', 8, 8, now() + interval '1 hour');
        """
    }

    private static func claim(_ excluding: [ClaimExclusion] = [], _ countMax: Int = 8, perShare: Int = 4) -> WorkClaim {
        WorkClaim(
            countMax: countMax,
            lease: .seconds(60),
            holder: "test",
            excluding: excluding,
            countPerShare: perShare
        )
    }

    private static func numbers(_ claim: WorkClaim, _ store: TestStore) async throws -> [Int64] {
        try await claim.run(on: store.service).map { $0.subject * 10 + $0.tenant.rawValue }.sorted()
    }

    /// One for a printer, whatever is in front, and of a tenant only some.
    @Test func aBacklogForOnePrinterLeavesTheOthersTheirTurn() async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(Self.fill("print", 1_000))
            try await store.script(
                "insert into work (tenant_id, work_id, kind, subject_id, run_at) values (2, 1000004, 'exchange', 9, now())"
            )
            let first = try await Self.claim().run(on: store.service)
            #expect(first.map { $0.subject * 10 + $0.tenant.rawValue }.sorted() == [71, 72, 81, 92])
            #expect(first.map(\.lane).sorted() == [0, 7, 7, 8])
            // All but the backlog is under way.
            #expect(try await Self.numbers(Self.claim(), store) == [71])
            #expect(try await Self.numbers(Self.claim([.lane(Self.small, 7)]), store) == [71])
            #expect(try await Self.numbers(Self.claim([.lane(Self.large, 7)]), store) == [])
            #expect(try await Self.numbers(Self.claim([.share(Self.large, .printing)]), store) == [])
            #expect(try await Self.numbers(Self.claim([.share(nil, .printing)]), store) == [])
            #expect(
                try await Self.numbers(Self.claim([.share(nil, .other), .share(Self.small, .printing)]), store) == [71]
            )
        }
    }

    /// Codes and revocations are no prints: neither takes the other's share.
    @Test func ofATenantSomeIsTaken() async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(
                """
                insert into work (tenant_id, work_id, kind, subject_id, run_at)
                    select 1, n, 'revoke', 1, now() - interval '1 day' from generate_series(1, 1000) n;
                insert into work (tenant_id, work_id, kind, subject_id, lane, run_at)
                    select 1, n, 'print', 2, n, now() - interval '1 hour' from generate_series(1001, 1010) n;
                insert into work (tenant_id, work_id, kind, subject_id, run_at) values (2, 1, 'exchange', 3, now());
                """
            )
            #expect(try await Self.numbers(Self.claim(perShare: 2), store) == [11, 11, 21, 21, 32])
            #expect(try await Self.numbers(Self.claim([.share(Self.large, .other)], perShare: 2), store) == [21, 21])
            // Whose kinds it cannot do is as if it were not there.
            let leaving = WorkClaim(
                countMax: 8,
                lease: .seconds(60),
                holder: "test",
                leaving: [.revoke],
                countPerShare: 4
            )
            #expect(try await Self.numbers(leaving, store) == [21, 21, 21, 21])
        }
    }

    /// Rows of the queue that a look reads: hundreds, of a hundred and thirty thousand that are due.
    @Test(arguments: ["print", "webhook", "image"])
    func aBacklogCostsNothing(_ kind: String) async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(Self.fill(kind, 130_000) + "analyze work;")
            for isLeftOut in [false, true] {
                let plan: String
                switch kind {
                case "print": plan = try await Self.run(Self.claim(isLeftOut ? [.lane(Self.large, 7)] : []), store)
                case "webhook":
                    plan = try await Self.run(
                        WebhookClaim(
                            countMax: 8,
                            lease: .seconds(60),
                            holder: "test",
                            fullTenants: [],
                            busyEndpoints: isLeftOut ? [(Self.large, WebhookEndpointID(rawValue: 7))] : []
                        ),
                        store
                    )
                default:
                    plan = try await Self.run(
                        ImageJobClaim(
                            ShareClaim(
                                countMax: 8,
                                lease: .seconds(60),
                                holder: "test",
                                fullTenants: isLeftOut ? [Self.large] : [],
                                countPerTenant: 4
                            )
                        ),
                        store
                    )
                }
                let read = try Self.rowsRead(plan)
                #expect(read > 0 && read < 1_500, "\(plan)")
            }
            // The other tenant's was found behind the backlog at the first look.
            let left = try await store.administrator.run(DueLook(), .read, of: nil)
            #expect(left == [1])
        }
    }

    private static func run<S: Statement>(_ statement: S, _ store: TestStore) async throws -> String {
        try await store.service.run(Explained(inner: statement), .write, of: nil).first ?? ""
    }

    /// By the scans of the queue, what they threw away counted.
    private static func rowsRead(_ plan: String) throws -> Int {
        func count(_ node: [String: Any]) -> Int {
            let inner = (node["Plans"] as? [[String: Any]] ?? []).reduce(0) { $0 + count($1) }
            guard node["Relation Name"] as? String == "work", node["Node Type"] as? String != "ModifyTable" else {
                return inner
            }
            let rows = ["Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck"]
                .reduce(0) { $0 + (node[$1] as? Int ?? 0) }
            return inner + rows * (node["Actual Loops"] as? Int ?? 0)
        }
        let root = try #require(try JSONSerialization.jsonObject(with: Data(plan.utf8)) as? [[String: Any]])
        return root.reduce(0) { $0 + count($1["Plan"] as? [String: Any] ?? [:]) }
    }
}

/// Attempts of what the small tenant has due.
private struct DueLook: Statement {
    static let sql = SQL("select attempts from work where tenant_id = 2 and work_id = 1000002")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int32 { try row.int32(0) }
}
