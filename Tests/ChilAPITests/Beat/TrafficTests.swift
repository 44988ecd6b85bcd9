import ChilCore
import ChilStore
import Testing

@testable import ChilAPI

@Suite struct TrafficTests {
    private static let start = Timestamp(seconds: 1_800_000_000)

    private func beat() -> ServiceBeat {
        ServiceBeat(replica: "r", release: "1", roles: "all", loops: 1, startedAt: Self.start)
    }

    @Test func requestsAreCountedByMinuteAndTenant() {
        let (one, two) = (TenantID(rawValue: 1), TenantID(rawValue: 2))
        var traffic = Traffic()
        var beat = beat()
        traffic.add([one: 10, two: 20], others: 0, at: Self.start)
        traffic.add([one: 20], others: 10, at: Self.start + .seconds(10))
        traffic.take(into: &beat, at: Self.start + .seconds(20))
        #expect(beat.requests == 60)
        #expect(beat.rateMilli == 3_000)
        #expect(beat.minutes.count == 60)
        #expect(beat.minutes.last == 60)
        #expect(beat.busy.map(\.tenant) == [one, two])
        #expect(beat.busy.map(\.milli) == [1_500, 1_000])
        // From then on anew.
        traffic.add([two: 5], others: 0, at: Self.start + .seconds(65))
        traffic.take(into: &beat, at: Self.start + .seconds(70))
        #expect(beat.requests == 65)
        #expect(beat.rateMilli == 100)
        #expect(beat.minutes.suffix(2) == [60, 5])
        #expect(beat.busy.map(\.tenant) == [two])
    }

    @Test func anHourIsKept() {
        var traffic = Traffic()
        var beat = beat()
        for minute in 0..<200 {
            traffic.add([:], others: 1, at: Self.start + .seconds(Int64(minute) * 60))
        }
        traffic.take(into: &beat, at: Self.start + .seconds(200 * 60))
        #expect(beat.minutes.count == 60)
        #expect(beat.minutes.reduce(0, +) == 59)
        traffic.take(into: &beat, at: Self.start + .seconds(400 * 60))
        #expect(beat.minutes.reduce(0, +) == 0)
    }

    @Test func aClockThatStandsDividesByNothing() {
        var traffic = Traffic()
        var beat = beat()
        traffic.add([:], others: 5, at: Self.start)
        traffic.take(into: &beat, at: Self.start)
        #expect(beat.rateMilli == 5_000_000)
        traffic.take(into: &beat, at: Self.start - .seconds(100))
        #expect(beat.rateMilli == 0)
    }

    @Test func aLoopHandsOnWhatItCounted() {
        let shared = Locked(Traffic())
        let meter = TrafficMeter(shared)
        let (one, two) = (TenantID(rawValue: 1), TenantID(rawValue: 2))
        // A tenant that was read anew has another tally.
        let (tally, anew, other) = (TrafficTally(of: one), TrafficTally(of: one), TrafficTally(of: two))
        for tally in [tally, tally, anew, other, tally] { meter.count(tally) }
        meter.countOthers()
        meter.handOn(at: Self.start)
        meter.handOn(at: Self.start)
        #expect(shared.withLock { $0.total } == 6)
        meter.count(tally)
        meter.handOn(at: Self.start)
        var beat = beat()
        shared.withLock { $0.take(into: &beat, at: Self.start + .seconds(1)) }
        #expect(beat.requests == 7)
        #expect(beat.busy.map(\.tenant) == [one, two])
        #expect(beat.busy.map(\.milli) == [5_000, 1_000])
    }
}
