import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Every limit that there can be, one by one.
@Suite struct QuotaMatrixTests {
    /// Sessions are not taken but ended: `SignInRuleTests`.
    static let keys = QuotaKey.all.filter { $0.metric != .sessionsPerUser }

    @Test(arguments: keys)
    func threeOfThreeAreGivenAndNoFourth(_ key: QuotaKey) async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let end = try await windowEnd(key.window, tenant)
            for one in [tenant, other] { try await one.limit(key, to: 3) }
            let user: UserID = fresh(), stranger: UserID = fresh(), printer: PrinterID = fresh()
            func take(
                _ amount: Int64 = 1,
                _ tenant: TestTenant,
                by user: UserID? = user,
                on printer: PrinterID? = printer,
                at now: Timestamp = noon
            ) async throws -> QuotaRefusal? {
                try await QuotaTake(amount, of: key.metric, in: tenant.id, by: user, on: printer, at: now)
                    .answer(from: store.service)
            }
            let refusal = QuotaRefusal(key, resetsAt: end)
            #expect(try await take(4, tenant) == refusal)
            #expect(try await take(2, tenant) == nil)
            #expect(try await take(2, tenant) == refusal)
            #expect(try await take(1, tenant) == nil)
            #expect(try await take(1, tenant) == refusal)

            // Others have their own.
            #expect(try await take(3, other) == nil)
            #expect(try await take(1, tenant, by: stranger) == (key.scope == .user ? nil : refusal))
            #expect(try await take(1, tenant, on: fresh()) == (key.scope == .printer ? nil : refusal))
            // What concerns nobody in particular is counted for the tenant alone.
            #expect(try await take(1, tenant, by: nil, on: nil) == (key.scope == .tenant ? refusal : nil))

            guard let end else { return }
            #expect(try await take(1, tenant, at: end - .microseconds(1)) == refusal)
            #expect(try await take(3, tenant, at: end) == nil)
            let again = try await take(1, tenant, at: end)
            #expect(again?.key == key && again?.resetsAt.map { $0 > end } == true)
        }
    }

    /// Only told, nothing is refused.
    @Test(arguments: keys)
    func aWarningRefusesNothing(_ key: QuotaKey) async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), user: UserID = fresh(), printer: PrinterID = fresh()
            try await tenant.limit(key, to: 2, action: .warn)
            for _ in 0..<5 {
                let take = QuotaTake(1, of: key.metric, in: tenant.id, by: user, on: printer, at: noon)
                #expect(try await take.answer(from: store.service) == nil)
            }
            let told = try await tenant.auditedActions().filter { $0.hasPrefix("quota.") && !$0.hasPrefix("quota.set") }
            #expect(told == ["quota.exhausted 2 of 2"])
            if key.scope == .tenant {
                #expect(try await tenant.quotas().map(\.used) == [5])
            }
        }
    }

    private func windowEnd(_ window: QuotaWindow, _ tenant: TestTenant) async throws -> Timestamp? {
        // Noon UTC is 21:00 of 1 June in Seoul.
        switch window {
        case .none: nil
        case .minute: noon + .seconds(60)
        case .hour: noon + .seconds(3_600)
        case .day: noon + .seconds(3 * 3_600)
        case .month: noon + .seconds(3 * 3_600 + 29 * 86_400)
        }
    }

    /// Several limits of one metric: all of them are taken or none, and the one that lasts longest is named.
    @Test func severalLimitsAreTakenTogether() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let user: UserID = fresh()
            let perMinute = try QuotaKey(.generations, .user, .minute), perDay = try QuotaKey(.generations, .user, .day)
            let all = try QuotaKey(.generations, .tenant, .month)
            for one in [tenant, other] {
                try await one.limit(perMinute, to: 2)
                try await one.limit(perDay, to: 3)
                try await one.limit(all, to: 4)
            }
            func take(_ seconds: Int64, by user: UserID = user) async throws -> QuotaKey? {
                try await QuotaTake(1, of: .generations, in: tenant.id, by: user, at: noon + .seconds(seconds))
                    .answer(from: store.service)?.key
            }
            #expect(try await [take(0), take(1), take(2)] == [nil, nil, perMinute])
            #expect(try await [take(60), take(61)] == [nil, perDay])
            #expect(try await [take(62, by: fresh()), take(63, by: fresh())] == [nil, all])
            #expect(try await take(64) == all)
            #expect(try await tenant.quotas().map(\.used) == [4, nil, nil])
            #expect(try await other.quotas().map(\.used) == [0, nil, nil])
            let own = try await OwnQuotas(of: user, in: tenant.id, at: noon + .seconds(64)).rows(from: store.service)
            #expect(own.map(\.used) == [4, 1, 3] && own.map(\.remaining) == [0, 1, 0])
        }
    }

    @Test(
        arguments: [
            (.users, .user, QuotaWindow.none, "users cannot be limited for each user", "Give the scope tenant."),
            (.storageBytes, .tenant, .day, "storage_bytes has no window day", "Give the window none."),
            (
                .printJobs, .tenant, nil, "print_jobs is counted by window",
                "Give the window minute, hour, day or month."
            ),
            (.printers, .printer, nil, "printers cannot be limited for each printer", "Give the scope tenant."),
            (
                .drawings, .printer, .day, "drawings cannot be limited for each printer",
                "Give the scope tenant or user."
            ),
        ] as [(QuotaMetric, QuotaScope, QuotaWindow?, String, String)]
    )
    func whatMakesNoSenseIsRefused(
        _ metric: QuotaMetric,
        _ scope: QuotaScope,
        _ window: QuotaWindow?,
        _ reason: String,
        _ remedy: String
    ) {
        #expect(throws: QuotaKey.Fault(reason: reason, remedy: remedy)) { try QuotaKey(metric, scope, window) }
    }

    @Test func termsHaveTheirBounds() throws {
        let sessions = try QuotaKey(.sessionsPerUser), drawings = try QuotaKey(.drawings)
        for limit in [0, 1_001] as [Int64] {
            #expect(throws: QuotaKey.Fault.self) { try QuotaTerms(of: sessions, limit: limit) }
        }
        #expect(throws: QuotaKey.Fault.self) { try QuotaTerms(of: sessions, limit: 5, softLimit: 4) }
        #expect(throws: QuotaKey.Fault.self) { try QuotaTerms(of: sessions, limit: 5, action: .warn) }
        #expect(throws: QuotaKey.Fault.self) { try QuotaTerms(of: drawings, limit: -1) }
        #expect(throws: QuotaKey.Fault.self) { try QuotaTerms(of: drawings, limit: 1 << 53) }
        #expect(throws: QuotaKey.Fault.self) { try QuotaTerms(of: drawings, limit: 5, softLimit: 6) }
        _ = try QuotaTerms(of: drawings, limit: (1 << 53) - 1, softLimit: 0)
    }

    @Test(arguments: [
        ("drawings tenant none", true), ("requests user minute 1780315260000000", true), ("drawings tenant", false),
        ("", false), ("drawings tenant none x", false), ("drawing tenant none", false),
        ("drawings tenant none 1 2", false),
    ])
    func aRefusalIsRead(_ text: String, _ isOne: Bool) {
        #expect((QuotaRefusal(text: text) != nil) == isOne)
    }
}
