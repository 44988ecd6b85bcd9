import ChilCore
import ChilDatabase
import ChilTestSupport
import Testing

@testable import ChilStore

/// Transactions of this database that sleep.
private struct Sleepers: Statement {
    static let sql = SQL(
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
    )

    func bind(_ values: inout BoundValues) {}

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// As the service seals: it may not read what it seals.
@Suite struct AuditSealTests {
    static func seal(_ tenant: TestTenant, countMax: Int32 = 1_000) async throws -> AuditSeal.Outcome {
        try await AuditSeal(tenant.id, countMax: countMax).answer(from: tenant.store.service)
    }

    /// The verdict of whoever reads it all, as the operator's role.
    static func findings(_ tenant: TestTenant, keeping kept: AuditHead? = nil) async throws -> [AuditVerifier.Finding] {
        let database = tenant.store.operatorRole
        let chain = try #require(try await AuditChainOne(of: tenant.id).first(from: database))
        var verifier = AuditVerifier(of: tenant.id, from: chain.base, keeping: kept)
        for row in try await AuditLinkPage(of: tenant.id, after: chain.base.sequence, countMax: 10_000).rows(
            from: database
        ) {
            verifier.add(row.link, row.row, at: row.place)
        }
        verifier.finish(stored: chain.head)
        let unsealed = AuditUnsealedPage(of: tenant.id, before: Timestamp(seconds: 32_503_680_000), countMax: 100)
        for row in try await unsealed.rows(from: database) { verifier.add(unsealed: row.audit) }
        let count = try await AuditCount(of: tenant.id).answer(from: database)
        if count.sealed != count.links {
            let strays = AuditStrayPage(of: tenant.id, after: .min, countMax: 100)
            for row in try await strays.rows(from: database) { verifier.add(stray: row) }
        }
        return verifier.findings
    }

    static func head(_ tenant: TestTenant) async throws -> AuditHead? {
        try await AuditChainOne(of: tenant.id).first(from: tenant.store.operatorRole)?.head
    }

    static func add(_ tenant: TestTenant, _ count: Int, detail: String = "x") async throws {
        var batch = Batch(.write, of: tenant.id)
        for _ in 0..<count {
            batch.add(
                AuditAdd(
                    "test.act",
                    on: nil,
                    in: tenant.id,
                    by: .user(UserID(rawValue: 5), requestID: "r-\(detail)"),
                    detail: detail,
                    audit: fresh(),
                    at: noon
                )
            )
        }
        _ = try await tenant.store.service.run(batch)
    }

    /// What Swift computes is what PostgreSQL computed, whatever the texts are.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func everyRowIsSealedOnceInItsTenantsChain(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for detail in ["", "-", "1:a", "칠하다 🎨", "a\nb", "\u{1}\"\\", String(repeating: "x", count: 5_000)] {
                try await Self.add(tenant, 1, detail: detail)
            }
            _ = try await tenant.user()
            guard case .sealed(let count, isEnd: true) = try await Self.seal(tenant) else {
                Issue.record("not sealed to the end")
                return
            }
            #expect(count >= 10)
            #expect(try await Self.seal(tenant) == .sealed(0, isEnd: true))
            #expect(try await Self.findings(tenant) == [])
            // The other's are its own.
            #expect(try await Self.head(other) == nil)
            #expect(try await Self.seal(other) != .sealed(0, isEnd: true))
            #expect(try await Self.findings(other) == [])
            #expect(try await Self.head(other) != Self.head(tenant))
        }
    }

    @Test func aPageAtATimeComesToTheEnd() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            try await Self.add(tenant, 25)
            var sealed = 0, pages = 0, isEnd = false
            while !isEnd {
                guard case .sealed(let count, let isLast) = try await Self.seal(tenant, countMax: 10) else {
                    Issue.record("busy")
                    return
                }
                sealed += count
                pages += 1
                isEnd = isLast
            }
            #expect(pages == sealed / 10 + 1)
            #expect(try await Self.head(tenant)?.sequence == Int64(sealed))
            #expect(try await Self.findings(tenant) == [])
        }
    }

    /// Only a row that is committed can be sealed; one that was recorded before others and commits after them comes behind them.
    @Test func aRowThatCommitsLateIsSealedBehindTheOthers() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store)
            _ = try await Self.seal(tenant)
            async let slow: Void = store.script(
                """
                begin;
                insert into audit (tenant_id, audit_id, at, actor_kind, actor, action)
                    values (\(tenant.id.rawValue), -9, now(), 'operator', 'slow', 'late.act');
                \(SQLGate.wait)
                commit;
                """
            )
            let isUnderWay = try await awaitUntil(.seconds(10)) {
                try await store.administrator.run(Sleepers(), .read, of: nil) == [1]
            }
            #expect(isUnderWay)
            try await Self.add(tenant, 3)
            #expect(try await Self.seal(tenant) == .sealed(3, isEnd: true))
            try await store.script(SQLGate.open)
            try await slow
            #expect(try await Self.seal(tenant) == .sealed(1, isEnd: true))
            #expect(try await Self.findings(tenant) == [])
        }
    }

    /// However late: nobody has to look back for it.
    @Test func whatCommitsVeryLateIsSealedByTheNextPass() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            try await Self.add(tenant, 2)
            for one in [tenant, other] { _ = try await Self.seal(one) }
            let id = tenant.id.rawValue
            try await store.script(
                """
                insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, recorded_at)
                    values (\(id), -9, now(), 'operator', 'slow', 'late.act', now() - interval '4 minutes')
                """
            )
            #expect(try await Self.findings(tenant) == [.unsealedRow(audit: -9)])
            #expect(try await Self.found(store) == [tenant.id])
            #expect(try await Self.seal(tenant) == .sealed(1, isEnd: true))
            #expect(try await Self.findings(tenant) == [])
        }
    }

    /// What was sealed by a transaction that did not end is not sealed, and the next one seals it.
    @Test func whatASealerLeavesBehindIsSealedByAnother() async throws {
        try await TestStore.withTwo { first, second in
            let (tenant, other) = (try await TestTenant(first), try await TestTenant(first))
            for one in [tenant, other] { try await Self.add(one, 10) }
            let before = try await Self.head(tenant)
            var batch = Batch(.write, of: tenant.id)
            let sealed = batch.add(AuditSeal(tenant.id, countMax: 5))
            batch.add(Failing())
            await #expect(throws: DatabaseError.self) { _ = try await first.service.run(batch).first(sealed) }
            #expect(try await Self.head(tenant) == before)
            #expect(
                try await AuditSeal(tenant.id, countMax: 5).answer(from: second.service) == .sealed(5, isEnd: false)
            )
            while try await AuditSeal(tenant.id, countMax: 5).answer(from: second.service) != .sealed(0, isEnd: true) {}
            #expect(try await Self.findings(tenant) == [])
            #expect(try await Self.head(other) == nil)
        }
    }

    private struct Failing: Statement {
        typealias Row = Void
        static let sql = SQL("select 1 / $1::bigint")
        func bind(_ values: inout BoundValues) { values.append(Int64(0)) }
    }

    @Test func oneSealsATenantAtATime() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            try await Self.add(tenant, 200)
            try await Self.add(other, 200)
            await withTaskGroup(of: Void.self) { group in
                for place in 0..<40 {
                    let one = place.isMultiple(of: 2) ? tenant : other
                    group.addTask { _ = try? await Self.seal(one, countMax: 50) }
                }
            }
            for one in [tenant, other] {
                _ = try await Self.seal(one)
                #expect(try await Self.findings(one) == [])
            }
        }
    }

    @Test func onlyTheEnteredTenantIsSealed() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            var batch = Batch(.write, of: other.id)
            batch.add(AuditSeal(tenant.id))
            let error = await #expect(throws: DatabaseError.self) { try await store.service.run(batch) }
            #expect(error?.code == .forbidden)
            var without = Batch(.write, of: nil)
            without.add(AuditSeal(tenant.id))
            await #expect(throws: DatabaseError.self) { try await store.service.run(without) }
        }
    }

    @Test func tenantsWithSomethingToSealAreFound() async throws {
        try await TestStore.withOwnDatabase { store in
            var tenants: [TestTenant] = []
            for _ in 0..<5 { tenants.append(try await TestTenant(store)) }
            for countMax in [1, 2, 5, 1_000] as [Int32] {
                #expect(try await Self.found(store, countMax) == tenants.map(\.id), "\(countMax) at a time")
            }
            for tenant in tenants { _ = try await Self.seal(tenant) }
            #expect(try await Self.found(store) == [])
            try await Self.add(tenants[3], 1)
            #expect(try await Self.found(store) == [tenants[3].id])
        }
    }

    /// As the service finds them.
    static func found(_ store: TestStore, _ countMax: Int32 = 1_000) async throws -> [TenantID] {
        var all: [TenantID] = []
        var after: TenantID? = TenantID(rawValue: 0)
        while let from = after {
            let page = UnsealedTenants(after: from, countMax: countMax)
            let row = try #require(try await store.service.run(page, .read, of: nil).first)
            all += row.tenants
            after = row.next
        }
        return all
    }

    static let changes: [(name: String, sql: String, findings: [AuditVerifier.Finding])] = [
        (
            "a changed row", "update audit set detail = 'y' where audit_id = 900003",
            [.changedRow(sequence: 3, audit: 900_003)]
        ),
        (
            "a row of another time", "update audit set at = at - interval '1 second' where audit_id = 900003",
            [.changedRow(sequence: 3, audit: 900_003)]
        ),
        ("a removed row", "delete from audit where audit_id = 900003", [.removedRow(sequence: 3, audit: 900_003)]),
        (
            "a removed row with its link",
            "delete from audit where audit_id = 900003; delete from audit_link where audit_id = 900003",
            [.missingLinks(3, through: 3)]
        ),
        (
            "an added row",
            "insert into audit (tenant_id, audit_id, at, actor_kind, actor, action) values (77, 900099, now(), 'user', '1', 'x')",
            [.unsealedRow(audit: 900_099)]
        ),
        (
            "an added row that says it is sealed",
            "insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, sequence) values (77, 900099, now(), 'user', '1', 'x', 4)",
            [.strayRow(audit: 900_099)]
        ),
        (
            "a row that another stands for",
            """
            delete from audit where audit_id = 900003;
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, sequence) values (77, 900099, now(), 'user', '1', 'x', 3)
            """,
            [.removedRow(sequence: 3, audit: 900_003)]
        ),
        (
            "another order",
            """
            update audit_link set audit_id = -audit_id where sequence in (3, 4);
            update audit_link set audit_id = case audit_id when -900003 then 900004 else 900003 end where sequence in (3, 4)
            """,
            [.changedRow(sequence: 3, audit: 900_004), .changedRow(sequence: 4, audit: 900_003)]
        ),
        (
            "a shortened chain",
            "delete from audit where audit_id > 900008; delete from audit_link where sequence > 8",
            [.otherHead(stored: 10, found: 8)]
        ),
        (
            "two rows that say they are in each other's place",
            "update audit set sequence = 7 - sequence where audit_id in (900003, 900004)",
            [
                .otherPlace(sequence: 3, audit: 900_003, says: 4), .otherPlace(sequence: 4, audit: 900_004, says: 3),
            ]
        ),
        (
            "a row that says it is elsewhere", "update audit set sequence = 999 where audit_id = 900003",
            [.otherPlace(sequence: 3, audit: 900_003, says: 999)]
        ),
        ("a blanked address is none", "update audit set address = null", []),
    ]

    /// Each change as the owner of the database could make it.
    @Test(arguments: changes)
    func aChangeIsFound(_ row: (name: String, sql: String, findings: [AuditVerifier.Finding])) async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(
                """
                insert into tenant (tenant_id, slug, name, created_at, updated_at) values (77, 'a', 'A', now(), now());
                insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, detail, address)
                select 77, 900000 + n, now(), 'user', '1', 'x', 'x', '192.0.2.1' from generate_series(1, 10) n
                """
            )
            let tenant = TestTenant(id: TenantID(rawValue: 77), in: store)
            #expect(try await Self.seal(tenant) == .sealed(10, isEnd: true))
            #expect(try await Self.findings(tenant) == [])
            try await store.script(row.sql)
            #expect(try await Self.findings(tenant) == row.findings, "\(row.name)")
        }
    }

    /// Whoever has a row sealed again: it is linked twice, and can say one place alone.
    @Test func aRowThatIsSealedTwiceIsFound() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for one in [tenant, other] {
                try await Self.add(one, 5)
                _ = try await Self.seal(one)
            }
            let link = try #require(
                try await AuditLinkPage(of: tenant.id, after: 2, countMax: 1).first(from: store.operatorRole)
            ).link
            try await store.script("update audit set sequence = null where audit_id = \(link.audit)")
            #expect(try await Self.seal(tenant) == .sealed(1, isEnd: true))
            let end = try #require(try await Self.head(tenant)).sequence
            #expect(try await Self.findings(tenant) == [.otherPlace(sequence: 3, audit: link.audit, says: end)])
            #expect(try await Self.findings(other) == [])
        }
    }

    /// Retention: the oldest go, and the chain begins behind them.
    @Test func whatHasHadItsTimeGoesFromTheBeginning() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for one in [tenant, other] {
                try await Self.add(one, 10)
                _ = try await Self.seal(one)
            }
            let kept = try #require(try await Self.head(tenant))
            let id = tenant.id.rawValue
            try await store.script("select chil_prune_audit(\(id), now() + interval '1 hour', 4)")
            #expect(try await Self.findings(tenant, keeping: kept) == [])
            try await Self.add(tenant, 3)
            _ = try await Self.seal(tenant)
            #expect(try await Self.findings(tenant, keeping: kept) == [])
            let chain = try #require(try await AuditChainOne(of: tenant.id).first(from: store.operatorRole))
            #expect(chain.base.sequence == 4)
            // Nothing that is young goes.
            try await store.script("select chil_prune_audit(\(id), now() - interval '1 hour', 1000)")
            #expect(try await AuditChainOne(of: tenant.id).first(from: store.operatorRole) == chain)
            #expect(try await Self.findings(other) == [])
        }
    }
}
