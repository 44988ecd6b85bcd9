import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

/// Requests, leased in chunks.
@Suite struct RequestLeaseTests {
    private static let epoch = Timestamp(seconds: 0)
    /// TestTenant's zone is Asia/Seoul.
    private static let midnight = noon + .seconds(3 * 3_600)

    private func lease(
        _ tenant: TestTenant,
        by user: UserID? = nil,
        wanted: Int64 = 8,
        needed: Int64 = 1,
        parts: Int64 = 64,
        back: Int64 = 0,
        of backOf: Timestamp = epoch,
        at now: Timestamp = noon,
        through database: SharedDatabase? = nil
    ) async throws -> RequestLease.Grant {
        let ask = RequestLease.Ask(wanted: wanted, needed: needed, parts: parts, back: back, of: backOf)
        return try await RequestLease(ask, in: tenant.id, by: user, at: now)
            .answer(from: database ?? tenant.store.service)
    }

    private func used(_ tenant: TestTenant, _ user: UserID, at now: Timestamp = noon) async throws -> [Int64] {
        try await OwnQuotas(of: user, in: tenant.id, at: now).rows(from: tenant.store.service).map(\.used)
    }

    /// Small limits by ones, large ones by parts of what is left, and never more than there is.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func chunksFollowWhatIsLeft(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withTwo(form) { store, _ in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let key = try QuotaKey(.requests, .tenant, .day)
            try await tenant.limit(key, to: 10)
            try await other.limit(key, to: 6_400)
            let refusal = QuotaRefusal(key, resetsAt: Self.midnight)
            #expect(try await lease(tenant) == RequestLease.Grant(count: 1, until: Self.midnight, refusal: nil))
            #expect(try await lease(tenant, needed: 5).count == 5)
            #expect(try await lease(tenant, needed: 5) == .init(count: 4, until: Self.midnight, refusal: refusal))
            #expect(try await lease(tenant) == .init(count: 0, until: Self.midnight, refusal: refusal))
            // Nobody waits: nothing is refused.
            #expect(try await lease(tenant, needed: 0) == .init(count: 0, until: Self.midnight, refusal: nil))
            #expect(try await tenant.used(.requests) == 10)

            #expect(try await lease(other, wanted: 8).count == 8)
            #expect(try await lease(other, wanted: 4_096).count == 99)
            #expect(try await lease(other, wanted: 4_096, parts: 16).count == 393)
            #expect(try await other.used(.requests) == 500)
        }
    }

    /// Ten, leased by two services at once: exactly ten, whatever each wants.
    @Test func aStormGetsExactlyAsMany() async throws {
        try await TestStore.withTwo(.implicit) { store, second in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let ann = try await tenant.user("ann")
            for one in [tenant, other] {
                try await one.limit(QuotaKey(.requests, .user, .month), to: 10)
                try await one.limit(QuotaKey(.requests, .tenant, .day), to: 1_000)
            }
            let stranger = try await other.user("ann")
            let counts = try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in 0..<40 {
                    let service = number.isMultiple(of: 2) ? store.service : second.service
                    group.addTask { try await lease(tenant, by: ann, through: service).count }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts.reduce(0, +) == 10 && counts.max() == 1)
            // By the user's limits alone; the tenant's are another lease.
            #expect(try await used(tenant, ann) == [0, 10])
            #expect(try await used(other, stranger) == [0, 0])
            #expect(try await lease(other, by: stranger).count == 1)
            #expect(try await tenant.differences() == [])
        }
    }

    /// Several windows: the narrowest decides, the lease ends with the first, and the refusal names the last.
    @Test func severalWindowsAreTakenTogether() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let minute = try QuotaKey(.requests, .tenant, .minute), day = try QuotaKey(.requests, .tenant, .day)
            for one in [tenant, other] {
                try await one.limit(minute, to: 5)
                try await one.limit(day, to: 8)
            }
            #expect(try await lease(tenant, needed: 5).until == noon + .seconds(60))
            #expect(
                try await lease(tenant).refusal == QuotaRefusal(minute, resetsAt: noon + .seconds(60))
            )
            let next = noon + .seconds(60)
            #expect(try await lease(tenant, needed: 9, at: next).refusal == QuotaRefusal(day, resetsAt: Self.midnight))
            #expect(try await tenant.quotas(at: next).map(\.used) == [3, 8])
            #expect(try await other.quotas(at: next).map(\.used) == [0, 0])
        }
    }

    /// What is left goes back into the windows that it came from; those that are over have had it.
    @Test func whatIsLeftGoesBackWhereItCameFrom() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let ann = try await tenant.user("ann")
            for one in [tenant, other] {
                for scope in [QuotaScope.tenant, .user] {
                    try await one.limit(QuotaKey(.requests, scope, .minute), to: 100)
                    try await one.limit(QuotaKey(.requests, scope, .day), to: 1_000)
                }
            }
            for user in [nil, ann] { #expect(try await lease(tenant, by: user, needed: 20).count == 20) }
            #expect(try await lease(other, needed: 20).count == 20)
            for user in [nil, ann] {
                let back = try await lease(
                    tenant,
                    by: user,
                    wanted: 0,
                    needed: 0,
                    back: 5,
                    of: noon,
                    at: noon + .seconds(30)
                )
                #expect(back.count == 0 && back.refusal == nil)
            }
            #expect(try await used(tenant, ann) == [15, 15, 15, 15])
            // In the next minute: of the day alone.
            let next = noon + .seconds(60)
            for user in [nil, ann] {
                #expect(try await lease(tenant, by: user, needed: 2, back: 5, of: noon, at: next).count == 2)
            }
            #expect(try await used(tenant, ann, at: next) == [2, 12, 2, 12])
            // The next day: of neither.
            for user in [nil, ann] {
                _ = try await lease(tenant, by: user, wanted: 0, needed: 0, back: 2, of: noon, at: Self.midnight)
            }
            #expect(try await used(tenant, ann, at: Self.midnight) == [0, 0, 0, 0])
            #expect(try await other.quotas().map(\.used) == [20, 20, nil, nil])
        }
    }

    /// A limit that was set anew has not given what an older one leased.
    @Test func aLeaseOfAnotherLimitDoesNotGoBack() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let key = try QuotaKey(.requests, .tenant, .day)
            for one in [tenant, other] {
                try await one.limit(key, to: 1_000)
                #expect(try await lease(one, needed: 20).count == 20)
            }
            _ = try await QuotaUnset(key, of: tenant.id, note: tenant.note()).run(on: store.operatorRole)
            // Without a limit as many as are wanted, for a moment.
            #expect(
                try await lease(tenant, back: 10, of: noon) == .init(count: 8, until: noon + .seconds(1), refusal: nil)
            )
            try await tenant.limit(key, to: 500)
            #expect(try await lease(tenant, needed: 3, back: 10, of: noon).count == 7)
            #expect(try await tenant.used(.requests) == 7)
            // One that was only lowered has.
            try await other.limit(key, to: 15)
            #expect(try await lease(other, back: 10, of: noon).count == 1)
            #expect(try await other.used(.requests) == 11)
        }
    }

    /// A token outlives its account by some minutes: what it asks for is refused elsewhere, and nothing is counted of nobody.
    @Test func aDeletedUserLeavesNoCounter() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            for one in [tenant, other] { try await one.limit(QuotaKey(.requests, .user, .day), to: 10) }
            let ann = try await tenant.user("ann"), stranger = try await other.user("ann")
            #expect(try await lease(tenant, by: ann).count == 1)
            #expect(try await lease(other, by: stranger).count == 1)
            _ = try await tenant.delete(ann).run(on: store.service)
            #expect(try await lease(tenant, by: ann) == .init(count: 8, until: noon + .seconds(1), refusal: nil))
            _ = try await lease(tenant, by: ann, wanted: 0, needed: 0, back: 1, of: noon)
            #expect(try await used(tenant, ann) == [0])
            let counters = try await store.administrator.run(CounterCount(tenant: tenant.id), .read, of: nil)
            #expect(counters == [0])
            #expect(try await used(other, stranger) == [1])
        }
    }

    private struct CounterCount: Statement {
        static let sql = SQL("select count(*) from quota_use where tenant_id = $1")
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
    }

    /// Warned of once in a window, and told the end of once; a limit that only tells refuses nobody.
    @Test func marksAreToldOnce() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            try await tenant.limit(QuotaKey(.requests, .tenant, .day), to: 10)
            try await other.limit(QuotaKey(.requests, .tenant, .day), to: 10, action: .warn)
            for _ in 0..<12 { _ = try await lease(tenant) }
            for _ in 0..<12 { #expect(try await lease(other).count == 1) }
            for one in [tenant, other] {
                let trail = try await AuditTrail(of: one.id, countMax: 50).rows(from: store.operatorRole)
                let told = trail.filter { $0.action.hasPrefix("quota.") && $0.action != "quota.set" }
                #expect(
                    Set(told.map { "\($0.action) \($0.detail ?? "")" }) == [
                        "quota.warn 8 of 10", "quota.exhausted 10 of 10",
                    ]
                )
                #expect(told.count == 2)
            }
            #expect(try await other.used(.requests) == 12)
            // The tenant's one row may be taken by itself as well.
            #expect(
                try await QuotaTake(1, of: .requests, in: tenant.id, by: nil, at: noon).answer(from: store.service)
                    == QuotaRefusal(QuotaKey(.requests, .tenant, .day), resetsAt: Self.midnight)
            )
        }
    }

    /// A lease ends with the day of the tenant's zone, the one that has 23 hours too.
    @Test func aLeaseEndsWithTheTenantsDay() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            for one in [tenant, other] { try await one.limit(QuotaKey(.requests, .user, .day), to: 10) }
            _ = try await TenantSetTimeZone("America/New_York", of: tenant.id, note: tenant.note())
                .run(on: store.operatorRole)
            let ann = try await tenant.user("ann"), stranger = try await other.user("ann")
            // 2026-03-08T06:00:00Z: an hour before the clocks of New York go forward.
            let night = Timestamp(seconds: 1_772_949_600)
            #expect(try await lease(tenant, by: ann, at: night).until == night + .seconds(22 * 3_600))
            #expect(try await lease(other, by: stranger, at: night).until == night + .seconds(9 * 3_600))
        }
    }
}
