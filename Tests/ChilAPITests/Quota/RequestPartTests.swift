import ChilCore
import ChilStore
import Testing

@testable import ChilAPI

/// A loop's lease of requests, without a database.
@Suite struct RequestPartTests {
    private let noon = Timestamp(seconds: 1_780_315_200)
    private let second: Int64 = 1_000_000_000
    private var midnight: Timestamp { noon + .seconds(43_200) }
    private var refusal: QuotaRefusal {
        QuotaRefusal(QuotaKey(stored: .requests, .user, .day), resetsAt: midnight)
    }

    private func grant(_ count: Int64, until: Timestamp? = nil, _ refusal: QuotaRefusal? = nil) -> RequestLease.Grant {
        RequestLease.Grant(count: count, until: until ?? midnight, refusal: refusal)
    }

    /// A part that has asked and got `count`.
    private func part(of count: Int64, until: Timestamp? = nil) -> RequestPart {
        var part = RequestPart(at: second)
        _ = part.ask(needed: 1, loops: 4, at: noon, second)
        part.answered(grant(count, until: until), askedAt: noon, second)
        return part
    }

    @Test func asksFirstAndThenServes() {
        var part = RequestPart(at: second)
        #expect(part.take(at: noon, second) == .mustAsk)
        let ask = part.ask(needed: 3, loops: 4, at: noon, second)
        #expect(ask == RequestLease.Ask(wanted: 8, needed: 3, parts: 64, of: Timestamp(seconds: 0)))
        #expect(part.isAsking)
        part.answered(grant(8), askedAt: noon, second)
        #expect((0..<8).map { _ in part.take(at: noon, second) } == Array(repeating: .taken, count: 8))
        #expect(part.take(at: noon, second) == .mustAsk)
    }

    /// Whoever asks again soon gets more at once; whoever comes seldom, less.
    @Test func chunksFollowTheDemand() {
        var part = part(of: 8)
        var now = second
        let busy = (0..<12).map { _ in
            now += second / 2
            return part.ask(needed: 1, loops: 4, at: noon, now).wanted
        }
        #expect(busy == [16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 4_096, 4_096, 4_096])
        let quiet = (0..<14).map { _ in
            now += 11 * second
            return part.ask(needed: 1, loops: 4, at: noon, now).wanted
        }
        #expect(Array(quiet.prefix(2)) == [2_048, 1_024] && quiet.last == 1)
    }

    @Test func asksBeforeItIsEmptyWhereThatHelps() {
        var many = part(of: 16), one = part(of: 1)
        for _ in 0..<11 { #expect(many.take(at: noon, second) == .taken && !many.isLow) }
        #expect(many.take(at: noon, second) == .taken && many.isLow)
        _ = many.ask(needed: 0, loops: 4, at: noon, second)
        #expect(!many.isLow)
        many.answered(grant(16), askedAt: noon, second)
        #expect(many.unused == 20)
        // Where one is given at a time nothing is held that nobody waits for.
        #expect(one.take(at: noon, second) == .taken && !one.isLow)
    }

    @Test func aRefusalIsRememberedForASecond() {
        var part = RequestPart(at: second)
        _ = part.ask(needed: 2, loops: 4, at: noon, second)
        part.answered(grant(1, refusal), askedAt: noon, second)
        #expect(part.take(at: noon, second) == .taken)
        #expect(part.take(at: noon, second) == .refused(refusal))
        #expect(part.take(at: noon, 2 * second - 1) == .refused(refusal))
        #expect(part.take(at: noon, 2 * second) == .mustAsk)
    }

    /// The window ends by the wall clock, whatever was asked a moment ago.
    @Test func anEndedWindowIsAskedForAnew() {
        var part = RequestPart(at: second)
        _ = part.ask(needed: 1, loops: 4, at: noon, second)
        part.answered(grant(0, refusal), askedAt: noon, second)
        #expect(part.take(at: midnight - .microseconds(1), second) == .refused(refusal))
        #expect(part.take(at: midnight, second) == .mustAsk)
    }

    @Test func whatIsLeftAtTheEndOfAWindowGoesBack() {
        var part = part(of: 8, until: noon + .seconds(60))
        #expect(part.take(at: noon + .seconds(59), second) == .taken)
        #expect(part.take(at: noon + .seconds(60), second) == .mustAsk)
        let ask = part.ask(needed: 1, loops: 1, at: noon + .seconds(60), 20 * second)
        #expect(ask == RequestLease.Ask(wanted: 4, needed: 1, parts: 16, back: 7, of: noon))
        #expect(part.unused == 0)
        part.answered(grant(4, until: noon + .seconds(120)), askedAt: noon + .seconds(60), 20 * second)
        #expect(part.unused == 4)
    }

    /// The limit was changed: what is held was leased under another one.
    @Test func achangedLimitTakesTheLeaseBack() {
        var part = part(of: 8)
        part.expire()
        #expect(part.take(at: noon, second) == .mustAsk)
        #expect(part.ask(needed: 1, loops: 4, at: noon, second).back == 8)
        var refused = RequestPart(at: second)
        _ = refused.ask(needed: 1, loops: 4, at: noon, second)
        refused.answered(grant(0, refusal), askedAt: noon, second)
        refused.expire()
        #expect(refused.take(at: noon, second) == .mustAsk)
    }

    /// Neither a limit that changes while it is asked for, nor an ask that fails, loses what was not used.
    @Test func whatWasNotUsedIsNotLost() {
        let later = noon + .seconds(1)
        var part = part(of: 8)
        _ = part.ask(needed: 1, loops: 4, at: later, second)
        part.expire()
        part.answered(grant(16, refusal), askedAt: later, second)
        // What was granted may be by the limit of before.
        #expect(part.take(at: later, second) == .mustAsk)
        var ask = part.ask(needed: 1, loops: 4, at: later, second)
        #expect(ask.back == 24 && ask.backOf == noon)
        part.askFailed(isUnknown: false)
        #expect(part.hasUnused)
        ask = part.ask(needed: 1, loops: 4, at: later, second)
        #expect(ask.back == 24 && ask.backOf == noon)
        // PostgreSQL may have it: sent twice it would be given twice.
        part.askFailed(isUnknown: true)
        #expect(!part.hasUnused)
        #expect(part.ask(needed: 1, loops: 4, at: later, second).back == 0)
        part.answered(grant(8), askedAt: later, second)
        #expect(part.take(at: later, second) == .taken)
    }

    /// What was taken of one window is not given to the next.
    @Test func whatWasTakenGoesBackWhereItCameFrom() {
        var part = part(of: 1, until: noon + .seconds(60))
        #expect(part.take(at: noon, second) == .taken)
        part.giveBack(takenAt: noon)
        #expect(part.take(at: noon, second) == .taken)
        _ = part.ask(needed: 1, loops: 4, at: noon + .seconds(60), second)
        part.answered(grant(1), askedAt: noon + .seconds(60), second)
        part.giveBack(takenAt: noon)
        #expect(part.unused == 1)
    }

    @Test func idlePartsGoBackWhole() {
        var part = part(of: 8)
        #expect(part.take(at: noon, 2 * second) == .taken)
        part.giveBack(takenAt: noon)
        #expect(!part.isIdle(at: 7 * second - 1) && part.isIdle(at: 7 * second))
        let ask = part.askToTakeBack()
        #expect(ask == RequestLease.Ask(wanted: 0, needed: 0, parts: 1, back: 8, of: noon))
        #expect(part.unused == 0 && !part.isIdle(at: 90 * second))
        // It is tried again.
        part.askFailed(isUnknown: false)
        #expect(part.isIdle(at: 90 * second) && part.hasUnused)
        #expect(part.askToTakeBack() == ask)
        part.answered(grant(0), askedAt: noon, 8 * second)
        #expect(part.isIdle(at: 90 * second) && !part.hasUnused)
        #expect(part.take(at: noon, 90 * second) == .mustAsk)
    }
}
