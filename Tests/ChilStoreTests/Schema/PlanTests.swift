import ChilCore
import ChilDatabase
import Testing

@testable import ChilStore

/// PostgreSQL's plan of a statement with its values, a line a row.
private struct Explained<Inner: Statement>: Statement {
    let inner: Inner

    static var sql: SQL { SQL("explain (costs off) " + Inner.sql.text) }

    func bind(_ values: inout BoundValues) { inner.bind(&values) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// The same of a gathered read, for one caller.
private struct GatheredExplained<Inner: Statement>: Statement {
    let numbers: [Int64]

    static var sql: SQL { SQL("explain (costs off) " + (Inner.gathered?.text ?? "")) }

    /// Arrays of one `bigint`, as PostgreSQL's `array_recv` reads them.
    func bind(_ values: inout BoundValues) {
        for number in numbers {
            let head: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 8]
            values.append(head + withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) })
        }
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// Every hot read is one range of the right index, also on an empty database whose statistics say so: a plan that is cached then
/// lives until the next ANALYZE.
@Suite struct PlanTests {
    @Test func hotReadsUseTheirIndexFromTheFirstDay() async throws {
        try await TestStore.withOwnDatabase { store in
            for isAnalysed in [false, true] {
                if isAnalysed { _ = try await store.administrator.run(Analyze(), .write, of: nil) }
                let tenant = TenantID(rawValue: 1), owner = UserID(rawValue: 2), drawing = DrawingID(rawValue: 3)
                let page = DrawingPageRequest(of: owner, in: tenant, type: nil, place: .newest, count: 20)
                func expectIndex<S: TenantStatement>(_ index: String, _ statement: S, conditions: Int) async throws {
                    var batch = Batch(.read, of: tenant)
                    let slot = batch.add(Explained(inner: statement))
                    let plan = try await store.service.run(batch).rows(slot)
                    let scans = plan.filter { $0.contains("Scan") }
                    #expect(scans.count == 1 && scans.allSatisfy { $0.contains(" using \(index) on ") }, "\(plan)")
                    let condition = plan.first { $0.contains("Index Cond:") } ?? ""
                    #expect(condition.split(separator: " AND ").count == conditions, "\(plan)")
                    #expect(!plan.contains { $0.contains("Sort") }, "\(plan)")
                }
                try await expectIndex(
                    "drawing_of_owner",
                    DrawingsBefore(request: page, before: drawing),
                    conditions: 3
                )
                try await expectIndex("drawing_of_owner", DrawingsFrom(request: page, skipped: 0), conditions: 2)
                try await expectIndex("drawing_of_owner", DrawingOne(drawing, of: owner, in: tenant), conditions: 3)
                let session = SessionID(rawValue: 4)
                try await expectIndex("session_pkey", SessionCheck(session, of: tenant), conditions: 2)
                try await expectIndex("app_user_pkey", UserOne(owner, of: tenant), conditions: 2)
                try await expectIndex("image_pkey", ImageBytes(of: [1], owner: owner, in: tenant), conditions: 3)
                try await expectIndex(
                    "image_chunk_pkey",
                    ImageChunks(0..<1, of: [1], owner: owner, in: tenant),
                    conditions: 5
                )
            }
        }
    }

    /// A gathered read enters a tenant, asks the policy, and only then looks for rows: place after place, whatever the statistics say.
    @Test func gatheredReadsEnterBeforeTheyLook() async throws {
        try await TestStore.withOwnDatabase { store in
            for isAnalysed in [false, true] {
                if isAnalysed { _ = try await store.administrator.run(Analyze(), .write, of: nil) }
                for plan in [
                    try await store.service.run(GatheredExplained<DrawingOne>(numbers: [1, 2, 3]), .read, of: nil),
                    try await store.service.run(
                        GatheredExplained<DrawingsBefore>(numbers: [1, 2, 3, 4]),
                        .read,
                        of: nil
                    ),
                ] {
                    let steps = [
                        "Nested Loop", "Nested Loop", "Function Scan on", "One-Time Filter:", "Index Scan using",
                    ]
                    let found = plan.compactMap { line in steps.first { line.contains($0) } }
                    #expect(found == steps, "\(plan)")
                    let policy = plan.first { $0.contains("One-Time Filter:") } ?? ""
                    #expect(
                        policy.contains("current_setting('chil.tenant'") && policy.contains("set_config("),
                        "\(plan)"
                    )
                    let condition = plan.first { $0.contains("Index Cond:") } ?? ""
                    #expect(
                        condition.split(separator: " AND ").count == 3 && condition.contains("set_config("),
                        "\(plan)"
                    )
                }
            }
        }
    }

    private struct Analyze: Statement {
        typealias Row = Void
        static let sql = SQL("analyze")
        func bind(_ values: inout BoundValues) {}
    }
}
