import ChilCore
import ChilStore

/// What a loop has of the requests that a tenant, or one of its users, may still send: a value, time is a parameter.
struct RequestPart {
    enum Verdict: Equatable {
        case taken
        case refused(QuotaRefusal)
        /// Nothing here; PostgreSQL may have some.
        case mustAsk
    }

    /// Of leases that are over, and PostgreSQL does not know yet that they were not used up.
    private struct Owed {
        private(set) var count: Int64 = 0
        /// When they were leased: of several the earliest, for what is given back goes to the windows that ran then and run still.
        private(set) var leasedAt = Timestamp(seconds: 0)

        mutating func add(_ more: Int64, of moment: Timestamp) {
            guard more > 0 else { return }
            leasedAt = count == 0 ? moment : min(leasedAt, moment)
            count += more
        }
    }

    private(set) var unused: Int64 = 0
    private var leasedAt = Timestamp(seconds: 0)
    private var until = Timestamp(seconds: 0)
    private var owed = Owed()
    /// Goes back with the ask that is under way.
    private var sent = Owed()
    /// The limit was changed while an ask was under way: what that grants may be by the one before.
    private var isOutdated = false
    /// By the last answer.
    private var granted: Int64 = 0
    /// What is wanted with the next ask; how much of it is granted PostgreSQL says, by what is left.
    private var chunk: Int64
    private var refusal: QuotaRefusal?
    private var refusedUntil: Int64 = 0
    private var askedAt: Int64 = 0
    private var touchedAt: Int64
    private(set) var isAsking = false

    /// - Parameter moment: monotonic nanoseconds, as everywhere here; `now` is by the wall clock, which windows go by.
    init(chunk: Int64 = Self.chunkMin, at moment: Int64) {
        self.chunk = chunk
        touchedAt = moment
    }

    mutating func take(at now: Timestamp, _ moment: Int64) -> Verdict {
        touchedAt = moment
        if unused > 0, now < until {
            unused -= 1
            return .taken
        }
        // Others may have given some back since: it is asked again before the window ends.
        if let refusal, moment < refusedUntil, now < refusal.resetsAt ?? until { return .refused(refusal) }
        return .mustAsk
    }

    /// What was taken for nothing at `moment`. Of a lease before the one that is held it is none of this one's window.
    mutating func giveBack(takenAt moment: Timestamp) {
        if leasedAt <= moment { unused += 1 }
    }

    /// Whether it is time to ask, before somebody has to wait.
    var isLow: Bool { !isAsking && refusal == nil && granted >= Self.chunkMin && unused <= granted / 4 }

    /// Whether PostgreSQL counts something as used that is not.
    var hasUnused: Bool { unused + owed.count > 0 }

    /// - Parameters:
    ///   - needed: requests that wait.
    ///   - loops: of all services.
    mutating func ask(needed: Int, loops: Int, at now: Timestamp, _ moment: Int64) -> RequestLease.Ask {
        if askedAt != 0 {
            let pause = moment - askedAt
            if pause < Self.second { chunk = min(chunk * 2, Self.chunkMax) }
            if pause > 10 * Self.second { chunk = max(chunk / 2, 1) }
        }
        askedAt = moment
        if now >= until { endLease() }
        return begin(
            wanted: chunk,
            needed: Int64(needed),
            parts: Int64(max(loops, 1)) * Self.partsPerLoop
        )
    }

    /// Everything that is held, to be given back. It is an ask like others: answered or failed.
    mutating func askToTakeBack() -> RequestLease.Ask {
        endLease()
        return begin(wanted: 0, needed: 0, parts: 1)
    }

    private mutating func begin(wanted: Int64, needed: Int64, parts: Int64) -> RequestLease.Ask {
        isAsking = true
        sent = owed
        owed = Owed()
        return RequestLease.Ask(wanted: wanted, needed: needed, parts: parts, back: sent.count, of: sent.leasedAt)
    }

    /// - Parameter now: when it was asked.
    mutating func answered(_ grant: RequestLease.Grant, askedAt now: Timestamp, _ moment: Int64) {
        isAsking = false
        sent = Owed()
        granted = grant.count
        refusal = isOutdated ? nil : grant.refusal
        refusedUntil = moment + Self.second
        if unused > 0, now < until {
            unused += grant.count
            until = min(until, grant.until)
        } else {
            endLease()
            unused = grant.count
            leasedAt = now
            until = isOutdated ? Timestamp(seconds: 0) : grant.until
        }
        isOutdated = false
    }

    /// - Parameter isUnknown: PostgreSQL may have done it. What went back with it is not sent again: rather too little than twice.
    mutating func askFailed(isUnknown: Bool) {
        isAsking = false
        isOutdated = false
        if !isUnknown { owed.add(sent.count, of: sent.leasedAt) }
        sent = Owed()
    }

    /// The limit is another: what is held goes back with the next ask.
    mutating func expire() {
        until = Timestamp(seconds: 0)
        refusal = nil
        isOutdated = isAsking
    }

    /// Whether nobody came for a while.
    func isIdle(at moment: Int64) -> Bool { !isAsking && moment - touchedAt >= Self.idleLife }

    private mutating func endLease() {
        owed.add(unused, of: leasedAt)
        unused = 0
    }

    /// Asked for at first.
    static let chunkMin: Int64 = 8
    /// At most, whoever asks as often as can be.
    static let chunkMax: Int64 = 4_096
    /// A loop leases no more than such a part of its share of what is left: all loops together hold less than 8 % of it, what they ask for before they
    /// have used up what they have among it.
    static let partsPerLoop: Int64 = 16
    private static let second: Int64 = 1_000_000_000
    private static let idleLife: Int64 = 5 * second
}
