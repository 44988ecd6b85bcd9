import ChilCore
import ChilDatabase
import ChilTestSupport
import Foundation
import Testing

@testable import ChilStore

/// What a statement has read, as PostgreSQL counts it.
private struct Measured: Statement {
    struct Scan: Equatable {
        let index: String
        /// Given to the statement, or thrown away by a filter.
        let rows: Int
    }

    struct Row {
        let scans: [Scan]
        /// Pages of 8 KiB, those of functions too.
        let blocks: Int
    }

    static let sql = SQL("select measured($1)")

    /// For the administrator; it may be run by all roles.
    static let script = """
        create function measured(p_sql text) returns text language plpgsql as $$
            declare answer text;
            begin
                execute 'explain (analyze, buffers, costs off, timing off, format json) ' || p_sql into answer;
                return answer;
            end $$;
        grant execute on function measured(text) to chil_service, chil_operator;
        """

    let text: String

    /// - Parameter values: what `$1…` are.
    init(_ text: String, _ values: [String] = []) {
        self.text = values.enumerated().reversed().reduce(text) { text, value in
            text.replacingOccurrences(of: "$\(value.offset + 1)", with: value.element)
        }
    }

    func bind(_ values: inout BoundValues) { values.append(text) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        let root = (try? JSONSerialization.jsonObject(with: Data(row.text(0).utf8))) as? [[String: Any]]
        guard let plan = root?.first?["Plan"] as? [String: Any] else {
            throw DatabaseError(.malformedResult, detail: row.text(0))
        }
        func number(_ node: [String: Any], _ name: String) -> Int { Int((node[name] as? NSNumber)?.doubleValue ?? 0) }
        func scans(_ node: [String: Any]) -> [Scan] {
            let below = (node["Plans"] as? [[String: Any]] ?? []).flatMap(scans)
            guard node["Relation Name"] != nil, (node["Node Type"] as? String)?.hasSuffix("Scan") == true else {
                return below
            }
            let rows = number(node, "Actual Rows") + number(node, "Rows Removed by Filter")
            return below + [
                Scan(index: node["Index Name"] as? String ?? "none", rows: rows * number(node, "Actual Loops"))
            ]
        }
        let blocks = number(plan, "Shared Hit Blocks") + number(plan, "Shared Read Blocks")
        return Row(scans: scans(plan), blocks: blocks)
    }
}

private struct AuditBlocks: Statement {
    static let sql = SQL("select pg_relation_size('audit') / 8192, count(*) from audit")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> (blocks: Int64, rows: Int64) {
        (try row.int64(0), try row.int64(1))
    }
}

/// Who has something to seal, and what, costs what there is to seal: not the audit's length, not the number of tenants.
@Suite struct AuditUnsealedTests {
    private static let tenantCount = 10_000
    private static let unsealed = [17: 1, 5_000: 3, 5_001: 2, 9_999: 4]

    /// As a statement within a function of the schema, which `GrowingRuleTests` and `EveryPlanTests` look at too.
    private static func inner(_ function: String, _ words: String, _ store: TestStore) async throws -> String {
        let functions = try await store.administrator.run(Functions(), .read, of: nil)
        let texts = functions.filter { $0.name == function }.flatMap(\.body.inner).map(\.text)
        return try #require(texts.first { $0.contains(words) }, "\(texts)")
    }

    @Test("ten thousand tenants and a long audit: only rows that are not sealed are read")
    func onlyWhatIsNotSealedIsRead() async throws {
        try await TestStore.withOwnDatabase { store in
            let count = Rounds.count(otherwise: 200_000)
            try await store.script(
                """
                \(Measured.script)
                insert into tenant (tenant_id, slug, name, created_at, updated_at)
                    select n, 'tenant-' || n, 'x', now(), now() from generate_series(1, \(Self.tenantCount)) as n;
                insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, sequence)
                    select 1 + n % \(Self.tenantCount), n, now(), 'user', '1', 'x', 1 + n / \(Self.tenantCount)
                      from generate_series(0, \(count) - 1) as n;
                analyze;
                """
            )
            for (tenant, rows) in Self.unsealed {
                try await store.script(
                    """
                    insert into audit (tenant_id, audit_id, at, actor_kind, actor, action)
                        select \(tenant), -n, now(), 'user', '1', 'x' from generate_series(1, \(rows)) as n
                    """
                )
            }
            let whole = try await store.administrator.run(AuditBlocks(), .read, of: nil)[0]
            #expect(whole.rows == Int64(count + 10))

            // Who: a probe for each tenant that has something, and one that finds no more.
            let probe = try await Self.inner("chil_unsealed_tenants", "tenant_id >", store)
            for (after, rows) in [(0, 1), (17, 1), (5_000, 1), (9_999, 0)] {
                let found = try await store.administrator.run(Measured(probe, ["\(after)"]), .read, of: nil)[0]
                #expect(found.scans == [Measured.Scan(index: "audit_unsealed", rows: rows)], "behind \(after)")
            }
            #expect(
                try await AuditSealTests.found(store).map { Int($0.rawValue) } == Self.unsealed.keys.sorted()
            )
            let all = Measured("select * from chil_unsealed_tenants(0, 1000)")
            // A session's first call reads the catalogue too, which is as large as it is.
            var asked = Int.max
            for _ in 0..<3 { asked = min(asked, try await store.service.run(all, .read, of: nil)[0].blocks) }
            #expect(asked < 100 && asked * 20 < whole.blocks, "\(asked) of \(whole.blocks) pages")

            // What: of one tenant, by the sealer and by `audit verify`.
            let page = try await Self.inner("chil_seal_audit", "from audit x", store)
            for (tenant, rows) in [(5_000, 3), (5_001, 2), (1, 0)] {
                let sealing = try await store.administrator.run(Measured(page, ["\(tenant)", "1000"]), .read, of: nil)[
                    0
                ]
                #expect(sealing.scans == [Measured.Scan(index: "audit_unsealed", rows: rows)])
                let verifying = Measured(
                    AuditUnsealedPage.sql.text,
                    ["\(tenant)", "'-infinity'", "0", "'infinity'", "1000"]
                )
                let verified = try await store.operatorRole.run(
                    verifying,
                    .read,
                    of: TenantID(rawValue: Int64(tenant))
                )[0]
                #expect(verified.scans == [Measured.Scan(index: "audit_unsealed", rows: rows)])
                #expect(verified.blocks < 20)
            }

            // Sealed, nobody has anything, and the rows are not read again.
            for tenant in Self.unsealed.keys {
                let sealed = try await AuditSealTests.seal(TestTenant(id: TenantID(rawValue: Int64(tenant)), in: store))
                #expect(sealed == .sealed(Self.unsealed[tenant] ?? 0, isEnd: true))
            }
            #expect(try await AuditSealTests.found(store) == [])
            let none = try await store.administrator.run(Measured(probe, ["0"]), .read, of: nil)[0]
            #expect(none.scans == [Measured.Scan(index: "audit_unsealed", rows: 0)])
        }
    }

    /// Rows of one moment follow each other by their numbers, and pages neither repeat nor leave out.
    @Test func pagesFollowEachOther() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for one in [tenant, other] {
                _ = try await AuditSealTests.seal(one)
                try await AuditSealTests.add(one, 23)
            }
            var seen: [Int64] = []
            var place: AuditPlace?
            repeat {
                let page = AuditUnsealedPage(of: tenant.id, after: place, before: AuditTime.last, countMax: 5)
                let rows = try await page.rows(from: store.operatorRole)
                seen += rows.map(\.audit)
                place = rows.last
            } while place != nil
            #expect(seen.count == 23 && Set(seen).count == 23)
            let early = AuditUnsealedPage(of: tenant.id, before: noon, countMax: 5)
            #expect(try await early.rows(from: store.operatorRole).isEmpty, "they came after that moment")
        }
    }
}
