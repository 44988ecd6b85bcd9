import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Where windows end, by the calendar of the tenant.
@Suite struct QuotaWindowTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let zone: String
        let window: QuotaWindow
        let now: String
        let end: String
        var testDescription: String { "\(zone) \(window) \(now)" }

        init(_ zone: String, _ window: QuotaWindow, _ now: String, _ end: String) {
            (self.zone, self.window, self.now, self.end) = (zone, window, now, end)
        }
    }

    @Test(arguments: [
        Row("Asia/Seoul", .month, "2026-01-31T14:59:59Z", "2026-01-31T15:00:00Z"),
        Row("Asia/Seoul", .month, "2026-01-31T15:00:00Z", "2026-02-28T15:00:00Z"),
        Row("UTC", .month, "2028-02-29T23:59:59Z", "2028-03-01T00:00:00Z"),
        Row("UTC", .month, "2026-12-31T12:00:00Z", "2027-01-01T00:00:00Z"),
        Row("UTC", .minute, "2026-06-01T00:00:59Z", "2026-06-01T00:01:00Z"),
        // Hours by the clock on the wall, also where that is half an hour off.
        Row("Asia/Kolkata", .hour, "2026-06-01T00:10:00Z", "2026-06-01T00:30:00Z"),
        // The day that has 23 hours, and the one that has 25.
        Row("America/New_York", .day, "2026-03-08T06:00:00Z", "2026-03-09T04:00:00Z"),
        Row("America/New_York", .day, "2026-11-01T05:00:00Z", "2026-11-02T05:00:00Z"),
        // 01:30 comes twice: each hour is its own.
        Row("America/New_York", .hour, "2026-11-01T05:30:00Z", "2026-11-01T06:00:00Z"),
        Row("America/New_York", .hour, "2026-11-01T06:30:00Z", "2026-11-01T07:00:00Z"),
        // 02:00 does not come.
        Row("America/New_York", .hour, "2026-03-08T06:30:00Z", "2026-03-08T07:00:00Z"),
        // A midnight that does not come: the clock goes from 24:00 to 01:00.
        Row("Africa/Cairo", .day, "2026-04-23T20:00:00Z", "2026-04-23T22:00:00Z"),
        Row("Africa/Cairo", .day, "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"),
        // The month in which summer begins.
        Row("Europe/Berlin", .month, "2026-03-15T00:00:00Z", "2026-03-31T22:00:00Z"),
    ])
    func endsByTheTenantsCalendar(_ row: Row) async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            _ = try await store.administrator.run(ZoneSet(tenant: tenant.id, zone: row.zone), .write, of: nil)
            let ends = try await store.administrator.run(WindowEnd(tenant: tenant.id, row: row), .read, of: nil)
            #expect(ends == [true])
        }
    }

    /// Whatever the clocks of the world do, a window ends after now, and not later than the longest of its kind.
    @Test func everyWindowEndsSoon() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            for zone in ["America/New_York", "Africa/Cairo", "Australia/Lord_Howe", "America/Havana", "Asia/Beirut"] {
                _ = try await store.administrator.run(ZoneSet(tenant: tenant.id, zone: zone), .write, of: nil)
                #expect(try await store.administrator.run(WindowFaults(tenant: tenant.id), .read, of: nil) == [0])
            }
        }
    }

    /// A tenant that moves keeps the window that runs; the next is by the new calendar.
    @Test func anotherTimeZoneHoldsFromTheNextWindow() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let key = try QuotaKey(.motions, .tenant, .day)
            for one in [tenant, other] { try await one.limit(key, to: 1) }
            func take(_ tenant: TestTenant, at now: Timestamp) async throws -> QuotaRefusal? {
                try await QuotaTake(1, of: .motions, in: tenant.id, by: nil, at: now).answer(from: store.service)
            }
            #expect(try await take(tenant, at: noon) == nil)
            _ = try await store.administrator.run(ZoneSet(tenant: tenant.id, zone: "UTC"), .write, of: nil)
            let seoul = noon + .seconds(3 * 3_600)
            #expect(try await take(tenant, at: noon + .seconds(1)) == QuotaRefusal(key, resetsAt: seoul))
            #expect(try await take(tenant, at: seoul) == nil)
            #expect(try await take(tenant, at: seoul) == QuotaRefusal(key, resetsAt: noon + .seconds(12 * 3_600)))
            #expect(try await take(other, at: seoul) == nil)
            #expect(try await take(other, at: seoul) == QuotaRefusal(key, resetsAt: seoul + .seconds(86_400)))
        }
    }

    private struct ZoneSet: Statement {
        typealias Row = Void
        static let sql = SQL("update tenant set time_zone = $2 where tenant_id = $1")
        let tenant: TenantID
        let zone: String
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(zone)
        }
    }

    private struct WindowEnd: Statement {
        static let sql = SQL("select chil_window_end($1, $2, $3::text::timestamptz) = $4::text::timestamptz")
        let tenant: TenantID
        let row: QuotaWindowTests.Row
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(row.window.rawValue)
            values.append(row.now)
            values.append(row.end)
        }
        static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
    }

    /// Moments a quarter of an hour apart around every change of the clock that 2026 has in these zones.
    private struct WindowFaults: Statement {
        static let sql = SQL(
            """
            select count(*)
              from (values (timestamptz '2026-03-06Z'), ('2026-03-27Z'), ('2026-04-03Z'), ('2026-04-22Z'), ('2026-10-02Z'),
                           ('2026-10-23Z'), ('2026-10-28Z'), ('2026-10-31Z')) as start (day)
             cross join generate_series(0, 383) as quarter
             cross join (values ('minute', interval '1 minute'), ('hour', '90 minutes'), ('day', '27 hours'), ('month', '31 days 2 hours'))
                as kind (word, most)
             cross join lateral (select day + quarter * interval '15 minutes' as now) as moment
             cross join lateral (select chil_window_end($1, word, now) as ends) as found
             where ends <= now or ends > now + most
            """
        )
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
    }
}
