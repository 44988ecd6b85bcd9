import ChilStore
import Testing

@testable import ChilAPI

/// One loop's part of a bucket, by itself: time and PostgreSQL's answers are parameters.
@Suite struct RateBucketTests {
    private static let second: Int64 = 1_000_000_000
    private static let key = RateKey(first: 1, second: 2)

    /// A loop, its bucket, and the shared bucket as PostgreSQL keeps it.
    private struct Bed {
        let rule: RateRule
        var share: RateShare
        var now = RateBucketTests.second
        var bucket: RateBucket
        var balance: Double
        var asOf: Int64

        init(_ quota: Int32, per window: Int32, loops: Int, isAway: Bool = false) {
            rule = RateRule(quota: quota, window: window)
            share = RateShare(loops: loops, isAway: isAway)
            bucket = RateBucket(RateBucketTests.key, rule, share, at: now)
            balance = Double(quota)
            asOf = now
        }

        /// What `RateLease` does.
        mutating func ask() {
            let refill = Double(now - asOf) / 1e9 * Double(rule.quota) / Double(rule.window)
            let have = min(Double(rule.quota), balance + refill) - Double(bucket.report())
            let granted = Int32(max(0, min(Double(share.chunk(of: rule)), have.rounded(.down))))
            balance = have - Double(granted)
            asOf = now
            bucket.granted(granted, balance: balance, rule, at: now)
        }

        /// Takes as many as it gets, asking when told; at most `most`.
        mutating func takeAll(atMost most: Int = 1_000_000) -> Int {
            var taken = 0
            while taken < most {
                switch bucket.take(rule, share, at: now) {
                case .admitted: taken += 1
                case .mustAsk: ask()
                case .refused: return taken
                }
            }
            return taken
        }
    }

    @Test(arguments: [(1, 1), (5, 1), (20, 2), (300, 2), (1_200, 8), (1_000_000, 16)])
    func oneLoopGetsTheWholeLimitInOneBurst(_ quota: Int32, _ loops: Int) {
        var bed = Bed(quota, per: 60, loops: loops)
        #expect(bed.takeAll() == Int(quota))
    }

    @Test func whatIsRefilledIsGivenOut() {
        var bed = Bed(60, per: 60, loops: 2)
        #expect(bed.takeAll() == 60)
        for _ in 0..<10 {
            bed.now += Self.second
            #expect((0...2).contains(bed.takeAll()))
        }
        bed.now += 1_000 * Self.second
        #expect(bed.takeAll() == 60)
        // Ten minutes at the rate of the rule are served whole.
        bed.now += 1_000 * Self.second
        var served = 0
        for _ in 0..<600 {
            bed.now += Self.second
            served += bed.takeAll(atMost: 1)
        }
        #expect(served == 600)
    }

    @Test func whoeverIsOverWaitsAndIsNotAskedForMeanwhile() {
        var bed = Bed(10, per: 3_600, loops: 1)
        #expect(bed.takeAll() == 10)
        let wait = bed.bucket.deniedUntil - bed.now
        #expect((359 * Self.second...360 * Self.second).contains(wait))
        bed.now += 100 * Self.second
        #expect(bed.bucket.take(bed.rule, bed.share, at: bed.now) == .refused(wait - 100 * Self.second))
        #expect(!bed.bucket.isLow(bed.rule, bed.share, at: bed.now))
    }

    @Test func whoeverIsQuietCostsTheDatabaseNothing() {
        let rule = RateDefaults.rule(.user, .read), share = RateShare(loops: 2)
        var bucket = RateBucket(Self.key, rule, share, at: Self.second)
        // Twenty an hour, all at once, hour after hour.
        for hour in 0..<10 {
            let now = Self.second * Int64(3_600 * hour + 1)
            for _ in 0..<20 {
                #expect(bucket.take(rule, share, at: now) == .admitted)
                #expect(!bucket.isLow(rule, share, at: now))
            }
        }
    }

    @Test func itAsksBeforeItRunsOut() {
        var bed = Bed(1_200, per: 60, loops: 2)
        for _ in 0..<1_000 where bed.bucket.take(bed.rule, bed.share, at: bed.now) == .admitted {
            if bed.bucket.isLow(bed.rule, bed.share, at: bed.now) {
                #expect(bed.bucket.take(bed.rule, bed.share, at: bed.now) == .admitted)
                bed.ask()
            }
        }
        #expect(bed.balance < 300)
    }

    /// Many loops with a token each of their own together give no more than a twentieth beyond the rule.
    @Test(arguments: [(20, 2), (20, 62), (300, 8), (1_200, 62)])
    func whatIsGivenWithoutAskingIsLittle(_ quota: Int32, _ loops: Int) {
        let rule = RateRule(quota: quota, window: 60), share = RateShare(loops: loops)
        #expect(share.free(of: rule) * Float(loops) <= Float(quota) / 20)
        #expect(Int(share.chunk(of: rule)) * loops <= max(Int(quota) / 16, loops))
    }

    @Test func alonEachLoopGivesItsPart() {
        var fresh = Bed(120, per: 60, loops: 4, isAway: true)
        #expect(fresh.takeAll() == 30)
        fresh.now += 10 * Self.second
        #expect(fresh.takeAll() == 5)
        // Whoever had used up the whole before has nothing of the part either.
        var spent = Bed(120, per: 60, loops: 4)
        #expect(spent.takeAll() == 120)
        spent.share.isAway = true
        #expect(spent.takeAll() == 0)
        spent.now += 2 * Self.second
        #expect(spent.takeAll() == 1)
        // And what was used alone counts once PostgreSQL is back.
        fresh.share.isAway = false
        #expect((80...90).contains(fresh.takeAll()))
    }

    @Test func aChangedRuleLetsThoseWaitingTryAgain() {
        var bed = Bed(1, per: 86_400, loops: 1)
        #expect(bed.takeAll() == 1)
        let raised = RateRule(quota: 100, window: 60)
        #expect(bed.bucket.take(raised, bed.share, at: bed.now) == .mustAsk)
    }

    /// What was leased by a higher limit, and what is granted by it after the change, is worth nothing.
    @Test(arguments: [true, false])
    func aLoweredRuleHoldsAtOnce(_ isOnItsWay: Bool) {
        var bed = Bed(100_000, per: 86_400, loops: 1)
        // Beyond what is the loop's own.
        #expect(bed.takeAll(atMost: 5_001) == 5_001)
        #expect(bed.bucket.remaining > 10)
        let lowered = RateRule(quota: 10, window: 86_400)
        #expect(bed.bucket.take(lowered, bed.share, at: bed.now) == .mustAsk)
        #expect(bed.bucket.remaining == 10)
        if isOnItsWay {
            bed.bucket.isAsking = true
            bed.bucket.granted(6_250, balance: 80_000, bed.rule, at: bed.now)
            #expect(!bed.bucket.isAsking && bed.bucket.remaining == 10)
        }
        #expect(bed.bucket.take(lowered, bed.share, at: bed.now) == .mustAsk)
        bed.bucket.granted(1, balance: 9, lowered, at: bed.now)
        #expect(bed.bucket.take(lowered, bed.share, at: bed.now) == .admitted)
        #expect(bed.bucket.take(lowered, bed.share, at: bed.now) == .mustAsk)
    }

    @Test func aFailedAskIsReportedAgain() {
        var bed = Bed(400, per: 60, loops: 1)
        for _ in 0..<15 { #expect(bed.bucket.take(bed.rule, bed.share, at: bed.now) == .admitted) }
        bed.bucket.isAsking = true
        let told = bed.bucket.report()
        #expect(told == 15 && bed.bucket.report() == 0)
        bed.bucket.askFailed(told)
        #expect(bed.bucket.report() == 15 && !bed.bucket.isAsking)
    }

    @Test func leasesAreNotKeptForLater() {
        var bed = Bed(1_600, per: 60, loops: 1)
        while bed.bucket.take(bed.rule, bed.share, at: bed.now) == .admitted {}
        bed.ask()
        #expect(bed.bucket.remaining == 1_520)
        bed.now += 61 * Self.second
        // Of the hundred leased none is left; the loop's own eighty are back.
        var own = 0
        while bed.bucket.take(bed.rule, bed.share, at: bed.now) == .admitted { own += 1 }
        #expect(own == 80)
    }
}
