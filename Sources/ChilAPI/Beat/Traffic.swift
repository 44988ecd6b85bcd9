import ChilCore
import ChilStore

/// Requests of a process, counted for whoever watches: by minute for an hour, by tenant since the last look.
struct Traffic {
    private(set) var total: Int64 = 0
    private var byTenant: [TenantID: Int64] = [:]
    /// The newest last.
    private var minutes: [(minute: Int64, count: Int64)] = []
    private var seen: (total: Int64, at: Timestamp)?

    mutating func add(_ counts: [TenantID: Int64], others: Int64, at now: Timestamp) {
        let count = counts.values.reduce(others, +)
        total += count
        byTenant.merge(counts) { $0 + $1 }
        let minute = now.seconds / 60
        if minutes.last?.minute == minute {
            minutes[minutes.count - 1].count += count
        } else if count > 0 {
            minutes.append((minute, count))
        }
        if minutes.count > ServiceBeat.minutesMax { minutes.removeFirst(minutes.count - ServiceBeat.minutesMax) }
    }

    /// Writes into the beat what came since the last one, and begins anew.
    mutating func take(into beat: inout ServiceBeat, at now: Timestamp) {
        let milliseconds = max(1, (now - (seen?.at ?? beat.startedAt)).wholeMicroseconds / 1_000)
        func milli(_ count: Int64) -> Int32 { Int32(clamping: count * 1_000_000 / milliseconds) }
        beat.requests = total
        beat.rateMilli = milli(total - (seen?.total ?? 0))
        let minute = now.seconds / 60
        let counts = Dictionary(minutes.map { ($0.minute, $0.count) }) { $0 + $1 }
        let first = minute - Int64(ServiceBeat.minutesMax) + 1
        beat.minutes = (first...minute).map { Int32(clamping: counts[$0] ?? 0) }
        beat.busy = byTenant.sorted { ($0.value, $1.key.rawValue) > ($1.value, $0.key.rawValue) }
            .prefix(ServiceBeat.tenantsMax).map { ($0.key, milli($0.value)) }
        byTenant = [:]
        seen = (total, now)
    }
}

/// The requests of one tenant at one loop since they were last handed on. Not `Sendable`.
final class TrafficTally {
    let tenant: TenantID
    fileprivate var count: Int64 = 0

    init(of tenant: TenantID) {
        self.tenant = tenant
    }
}

/// A loop's own counts, handed on every second: the way of a request takes no lock, and looks nothing up. Not `Sendable`.
final class TrafficMeter {
    private let shared: Locked<Traffic>
    /// Those that have counted something. A tenant that was read anew has two.
    private var tallies: [TrafficTally] = []
    private var others: Int64 = 0

    init(_ shared: Locked<Traffic>) {
        self.shared = shared
    }

    func count(_ tally: TrafficTally) {
        if tally.count == 0 { tallies.append(tally) }
        tally.count += 1
    }

    /// A request of no tenant.
    func countOthers() {
        others += 1
    }

    func handOn(at now: Timestamp) {
        guard others > 0 || !tallies.isEmpty else { return }
        let counts = Dictionary(tallies.map { ($0.tenant, $0.count) }) { $0 + $1 }
        shared.withLock { $0.add(counts, others: others, at: now) }
        for tally in tallies { tally.count = 0 }
        tallies.removeAll(keepingCapacity: true)
        others = 0
    }
}
