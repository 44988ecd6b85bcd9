import ChilCore
import ChilDatabase
import Testing

@testable import ChilStore

/// What the console asks: of the tenant that it is asked for and of nobody else, a page at a time.
@Suite struct WatchTests {
    private static let now = Timestamp(seconds: 1_780_000_000)
    private static let one = TenantID(rawValue: 1)
    private static let two = TenantID(rawValue: 2)

    /// Two tenants with the same numbers in each table.
    private static let fill = """
        set session_replication_role = replica;
        insert into tenant (tenant_id, slug, name, state, created_at, updated_at)
            values (1, 'one', 'Eins 하나', 'active', now(), now()), (2, 'two', 'Zwei 둘', 'suspended', now(), now());
        insert into app_user (tenant_id, user_id, given_name, email, created_at, updated_at)
            select t, n, case t when 1 then '지우' else 'Bea' end || n, t || '@example.org', now(), now()
              from generate_series(1, 2) as t, generate_series(1, 5) as n;
        insert into session (tenant_id, session_id, user_id, salt, rotated_at, device_name, created_at, last_used_at, idle_expires_at, expires_at)
            select t, \(Watch.number(at: now - .seconds(60))) + n, 1 + n % 2, '', now(), 'device ' || t, now(), now(), '2999-01-01', '2999-01-01'
              from generate_series(1, 2) as t, generate_series(1, 3) as n;
        insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type, title)
            select t, \(Watch.number(at: now - .seconds(4_000))) + n * 1000000000, 1, 10, now(), now(), 1, 1, 'SCANNED', 'READY', 'image/png',
                   case t when 1 then '고래 ' else 'whale ' end || n
              from generate_series(1, 2) as t, generate_series(0, 2) as n;
        insert into printer (tenant_id, printer_id, name, kind, uri, is_default, state, created_at, updated_at, seen_at, seen_state)
            select t, n, 'printer ' || t || n, 'ipp', 'ipp://localhost/', false, 'enabled', now(), now(), now(),
                   case when t = 1 and n = 1 then 'stopped' else 'idle' end
              from generate_series(1, 2) as t, generate_series(1, 2) as n;
        insert into print_job (tenant_id, job_id, owner_id, drawing_id, printer_id, state, scale, copies, created_at, updated_at)
            select t, n, 1, 1, 1 + n % 2, case n when 4 then 'failed' else 'queued' end, 'LARGE', t, now(), now()
              from generate_series(1, 2) as t, generate_series(1, 4) as n;
        insert into work (tenant_id, work_id, kind, subject_id, run_at, place_tenant_id, place_id)
            select t, n, case when n = 3 then 'webhook' else 'print' end, n, timestamptz '2026-01-01' + n * interval '1 minute', t, 1 + n % 2
              from generate_series(1, 2) as t, generate_series(1, 4) as n;
        insert into quota (tenant_id, metric, scope, window_kind, hard_limit, used, resets_at, updated_at)
            values (1, 'drawings', 'tenant', 'none', 10, 5, 'infinity', now()), (1, 'users', 'tenant', 'none', 10, 9, 'infinity', now()),
                   (1, 'requests', 'tenant', 'hour', 10, 10, '2020-01-01', now()), (2, 'drawings', 'tenant', 'none', 10, 0, 'infinity', now());
        """

    private static func with(_ body: (SharedDatabase) async throws -> Void) async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(fill)
            try await body(store.operatorRole)
        }
    }

    @Test func tenantsComeByTheirSlugs() async throws {
        try await Self.with { database in
            func slugs(_ after: String?, _ filter: String, _ count: Int = 10) async throws -> [String] {
                try await Watch.rows(of: WatchTenants(after: after, filter: filter, countMax: count), from: database)
                    .map(\.slug)
            }
            #expect(try await slugs(nil, "") == ["one", "two"])
            #expect(try await slugs(nil, "", 1) == ["one"])
            #expect(try await slugs("one", "") == ["two"])
            #expect(try await slugs(nil, "TW") == ["two"])
            #expect(try await slugs(nil, "하나") == ["one"])
            // Hangul as it comes from some keyboards: a syllable in its pieces.
            #expect(try await slugs(nil, "\u{1112}\u{1161}\u{1102}\u{1161}") == ["one"])
            #expect(try await slugs(nil, "%") == [])
            #expect(try await Watch.rows(of: WatchSlugs(prefix: "t"), from: database) == ["two"])
            let totals = try await Watch.rows(of: WatchTotals(), from: database)[0]
            #expect(totals == (2, 1))
        }
    }

    @Test func figuresAreEachTenants() async throws {
        try await Self.with { database in
            let figures = try await Watch.rows(
                of: WatchFigures(of: [Self.one, Self.two], since: Self.now - .seconds(3_600), at: Self.now),
                from: database
            )
            #expect(figures.map(\.tenant) == [Self.one, Self.two])
            #expect(figures.map(\.signIns) == [3, 3])
            #expect(figures.map(\.drawings) == [2, 2], "the first is older than an hour")
            #expect(figures.map(\.stoppedPrinters) == [1, 0])
            #expect(figures[0].nearest?.metric == "users", "what was reset counts no more")
            #expect(figures[1].nearest?.used == 0)
            let work = try await Watch.rows(of: WatchWork(of: [Self.two]), from: database)
            #expect(work.map(\.prints) == [3])
            let hour = try await Watch.rows(of: WatchHour(of: Self.one, until: Self.now), from: database)
            #expect(hour.count == 30)
            #expect(hour.map(\.signIns).reduce(0, +) == 3)
            #expect(hour.last?.signIns == 3)
            #expect(hour.map(\.drawings).reduce(0, +) == 2)
        }
    }

    @Test func listsAreOfOneTenant() async throws {
        try await Self.with { database in
            let users = try await Watch.rows(
                of: WatchUsers(of: Self.one, before: UserID(rawValue: 5), filter: "지우", countMax: 2, at: Self.now),
                from: database
            )
            #expect(users.map(\.user.id.rawValue) == [4, 3])
            let first = try await Watch.rows(
                of: WatchUsers(of: Self.two, before: nil, filter: "1", countMax: 9, at: Self.now),
                from: database
            )
            #expect(first.map(\.user.id.rawValue) == [1])
            #expect(first.map(\.sessions) == [1])
            #expect(first.map(\.drawings) == [3])
            let all = WatchSessions(of: Self.two, before: nil, filter: "device 2", countMax: 9)
            #expect(try await Watch.rows(of: all, from: database).count == 3)
            let own = WatchSessionsOfUser(UserID(rawValue: 2), all)
            #expect(try await Watch.rows(of: own, from: database).map(\.user.rawValue) == [2, 2])
            let none = WatchSessions(of: Self.two, before: nil, filter: "device 1", countMax: 9)
            #expect(try await Watch.rows(of: none, from: database).isEmpty)
            let drawings = WatchDrawings(of: Self.one, before: nil, filter: "", countMax: 2)
            #expect(try await Watch.rows(of: drawings, from: database).map(\.title) == ["고래 2", "고래 1"])
            let others = WatchDrawingsOfUser(UserID(rawValue: 2), drawings)
            #expect(try await Watch.rows(of: others, from: database).isEmpty)
            let image = WatchDrawingImage(of: DrawingID(rawValue: 1), in: Self.one)
            #expect(try await Watch.rows(of: image, from: database).isEmpty)
        }
    }

    @Test func printsAndPrinters() async throws {
        try await Self.with { database in
            func jobs(_ before: Int64?, _ printer: Int64?, _ filter: String) async throws -> [Int64] {
                let list = WatchJobs(
                    of: Self.two,
                    before: before.map { PrintJobID(rawValue: $0) },
                    at: printer.map { PrinterID(rawValue: $0) },
                    filter: filter,
                    countMax: 3
                )
                let rows = try await Watch.rows(of: list, from: database)
                let areOfTwo = rows.allSatisfy { $0.copies == 2 && $0.printer.hasPrefix("printer 2") }
                #expect(areOfTwo)
                return rows.map(\.id.rawValue)
            }
            let all = try await jobs(nil, nil, "")
            #expect(all == [4, 3, 2])
            let behind = try await jobs(2, nil, "")
            #expect(behind == [1])
            let atOne = try await jobs(nil, 2, "")
            #expect(atOne == [3, 1])
            let failed = try await jobs(nil, nil, "FAIL")
            #expect(failed == [4])
            let printers = WatchPrinters(of: Self.one, after: "printer 11", filter: "", countMax: 9)
            #expect(try await Watch.rows(of: printers, from: database).map(\.record.name) == ["printer 12"])
            let lines = WatchLines(at: [PrinterID(rawValue: 1), PrinterID(rawValue: 2)], of: Self.one)
            #expect(try await Watch.rows(of: lines, from: database).map(\.waiting) == [2, 2])
        }
    }

    @Test func theQueueIsOfAll() async throws {
        try await Self.with { database in
            let first = try await Watch.rows(of: WatchQueue(after: nil, kind: "", countMax: 5), from: database)
            #expect(first.map(\.work) == [1, 1, 2, 2, 3])
            #expect(first.last?.kind == "webhook")
            let place = (first[2].runAt, first[2].work, first[2].tenant.rawValue)
            let rest = try await Watch.rows(of: WatchQueue(after: place, kind: "", countMax: 9), from: database)
            #expect(rest.map(\.work) == [2, 3, 3, 4, 4])
            let webhooks = try await Watch.rows(of: WatchQueue(after: nil, kind: "web", countMax: 9), from: database)
            #expect(webhooks.map(\.work) == [3, 3])
            let due = try await Watch.rows(of: WatchDue(), from: database)[0]
            #expect(due.due == 8)
            #expect(due.ageSeconds > 0)
            let names = try await Watch.rows(of: WatchNames(of: [Self.two]), from: database)
            #expect(names.map(\.slug) == ["two"])
        }
    }

    @Test func theDatabaseSaysHowItIs() async throws {
        try await Self.with { database in
            let look = try await Watch.rows(of: WatchDatabase(), from: database)[0]
            #expect(look.connections >= 1)
            #expect(look.connectionsMax > look.connections)
            #expect(look.bytes > 1_000_000)
            #expect(look.migration == "m0034_service_beats" || look.migration?.hasPrefix("m0") ?? false)
            #expect(!look.isStandby)
        }
    }

    /// Nobody waits for PostgreSQL longer than that.
    @Test func aStatementHasItsTime() async throws {
        try await Self.with { database in
            await #expect(throws: DatabaseError.self) {
                try await Watch.rows(of: Sleep(), from: database)
            }
        }
    }

    private struct Sleep: Statement {
        static let sql = SQL("select pg_sleep(3600)")

        func bind(_ values: inout BoundValues) {}

        static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { true }
    }
}
