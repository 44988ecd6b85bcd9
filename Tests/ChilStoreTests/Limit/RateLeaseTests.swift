import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

/// Buckets that services share. Each test has keys of its own.
@Suite struct RateLeaseTests {
    private func key() -> RateKey {
        RateKey(first: UInt64.random(in: 0...UInt64.max), second: UInt64.random(in: 0...UInt64.max))
    }

    private func lease(_ store: TestStore, _ asks: [RateLease.Ask]) async throws -> [RateKey: RateLease.Grant] {
        let grants = try await store.service.run(RateLease(asks), .write, of: nil)
        return Dictionary(uniqueKeysWithValues: grants.map { ($0.key, $0) })
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func tokensAreGivenOnce(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let rule = RateRule(quota: 10, window: 86_400), (one, other) = (key(), key())
            func ask(_ used: Int32, _ wanted: Int32) -> RateLease.Ask {
                RateLease.Ask(key: one, rule: rule, used: used, wanted: wanted)
            }
            #expect(try await lease(store, [ask(2, 3)])[one]?.granted == 3)
            #expect(try await lease(store, [ask(0, 4)])[one]?.granted == 4)
            let rest = try await lease(store, [ask(0, 4), RateLease.Ask(key: other, rule: rule, used: 0, wanted: 10)])
            #expect(rest[one]?.granted == 1)
            #expect(rest[other]?.granted == 10)
            let none = try await lease(store, [ask(3, 4)])
            #expect(none[one]?.granted == 0)
            #expect((-3.0 ..< -2.9).contains(try #require(none[one]?.balance)))
            // More than was ever there is not owed for longer than one window.
            let owing = try await lease(store, [ask(1_000_000, 4)])
            #expect(owing[one]?.balance == -10)
        }
    }

    /// Waits until a bucket has so many.
    private func hasFilled(_ store: TestStore, _ key: RateKey, _ rule: RateRule, to balance: Double) async throws
        -> Bool
    {
        let look = RateLease.Ask(key: key, rule: rule, used: 0, wanted: 0)
        return try await awaitUntil(.seconds(3)) {
            let grant = try await lease(store, [look])[key]
            return grant.map { $0.balance >= balance } ?? false
        }
    }

    @Test func timeFillsABucketUpToItsRule() async throws {
        try await TestStore.with { store in
            let rule = RateRule(quota: 100, window: 1), key = key()
            let all = RateLease.Ask(key: key, rule: rule, used: 0, wanted: 1_000)
            let first = try await lease(store, [all])
            #expect(first[key]?.granted == 100)
            #expect(try await hasFilled(store, key, rule, to: 100))
            #expect(try await lease(store, [all])[key]?.granted == 100)
            // A lower rule holds at once, a higher one fills from then on.
            let low = RateLease.Ask(key: key, rule: RateRule(quota: 5, window: 86_400), used: 0, wanted: 1_000)
            #expect(try await hasFilled(store, key, rule, to: 10))
            #expect(try await lease(store, [low])[key]?.granted == 5)
        }
    }

    @Test func twoServicesTogetherGetTheRule() async throws {
        try await TestStore.withTwo { first, second in
            let rule = RateRule(quota: 500, window: 86_400)
            let keys = (0..<20).map { _ in key() }
            let granted = try await withThrowingTaskGroup(of: [RateKey: Int32].self) { group in
                for number in 0..<60 {
                    // Each in another order, all overlapping: no deadlock.
                    let asks = keys.shuffled().map { RateLease.Ask(key: $0, rule: rule, used: 1, wanted: 20) }
                    let store = number.isMultiple(of: 2) ? first : second
                    group.addTask { try await lease(store, asks).mapValues { $0.granted } }
                }
                return try await group.reduce(into: [RateKey: Int32]()) { sum, part in
                    sum.merge(part) { $0 + $1 }
                }
            }
            for key in keys { #expect((440...500).contains(granted[key] ?? 0)) }
        }
    }

    @Test func aFullBucketIsSweptAndAnEmptyOneIsNot() async throws {
        try await TestStore.withOwnDatabase { store in
            let slow = key()
            _ = try await lease(
                store,
                [
                    RateLease.Ask(key: key(), rule: RateRule(quota: 1_000, window: 1), used: 0, wanted: 10),
                    RateLease.Ask(key: slow, rule: RateRule(quota: 10, window: 86_400), used: 0, wanted: 10),
                ]
            )
            #expect(try await awaitUntil(.seconds(3)) { try await RateLeaseSweep().run(on: store.service) == 1 })
            let again = RateLease.Ask(key: slow, rule: RateRule(quota: 10, window: 86_400), used: 0, wanted: 10)
            #expect(try await lease(store, [again])[slow]?.granted == 0)
        }
    }

    @Test func loopsAreCountedAndWorkersAreNot() async throws {
        try await TestStore.withOwnDatabase { store in
            for holder in ["chilapi-1", "chilapi-2", "chilapi-3-worker"] {
                _ = try await LoopSlot.lease(holder: holder, for: .seconds(60), on: store.service)
            }
            _ = try await LoopSlot.lease(holder: "gone", for: .milliseconds(-1), on: store.service)
            #expect(try await store.service.run(LoopCount(), .read, of: nil) == [2])
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aTenantsRulesAreItsOwn(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            func rules(_ tenant: TestTenant) async throws -> [RateLimitRecord] {
                try #require(try await TenantDirectory.entry(slug: tenant.slug, from: store.service)).rateLimits
            }
            let prints = RateLimitRecord(.user, .print, RateRule(quota: 3, window: 60))
            let reads = RateLimitRecord(.tenant, .read, RateRule(quota: 9, window: 1))
            func set(_ rules: [RateLimitRecord]) async throws -> [RateLimitRecord] {
                try await RateLimitSet(.set(rules), of: tenant.id, note: tenant.note()).run(on: store.operatorRole)
            }
            #expect(try await set([prints, reads]) == [reads, prints])
            #expect(try await rules(tenant) == [reads, prints])
            #expect(try await rules(other) == [])
            // The same again changes nothing and is not audited.
            #expect(try await set([prints]) == [reads, prints])
            let unset = RateLimitSet(.unset([(.user, .print), (.user, .auth)]), of: tenant.id, note: tenant.note())
            #expect(try await unset.run(on: store.operatorRole) == [reads])
            #expect(try await tenant.auditedActions().filter { $0.hasPrefix("limit.") }.count == 2)
            #expect(try await rules(other) == [])
        }
    }
}
