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

    private(set) var unused: Int64 = 0
    private var leasedAt = Timestamp(seconds: 0)
    private var until = Timestamp(seconds: 0)
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

    /// What was taken for nothing.
    mutating func giveBack() {
        unused += 1
    }

    /// Whether it is time to ask, before somebody has to wait.
    var isLow: Bool { !isAsking && refusal == nil && granted >= Self.chunkMin && unused <= granted / 4 }

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
        isAsking = true
        var ask = RequestLease.Ask(
            wanted: chunk,
            needed: Int64(needed),
            parts: Int64(max(loops, 1)) * Self.partsPerLoop,
            of: leasedAt
        )
        if now >= until { ask.back = takeAll() }
        return ask
    }

    /// - Parameter now: when it was asked.
    mutating func answered(_ grant: RequestLease.Grant, askedAt now: Timestamp, _ moment: Int64) {
        isAsking = false
        granted = grant.count
        refusal = grant.refusal
        refusedUntil = moment + Self.second
        if unused > 0, now < until {
            unused += grant.count
            until = min(until, grant.until)
        } else {
            unused = grant.count
            leasedAt = now
            until = grant.until
        }
    }

    mutating func askFailed() {
        isAsking = false
    }

    /// The limit is another: what is held goes back with the next ask.
    mutating func expire() {
        until = Timestamp(seconds: 0)
        refusal = nil
    }

    /// Whether nobody came for a while.
    func isIdle(at moment: Int64) -> Bool { !isAsking && moment - touchedAt >= Self.idleLife }

    /// Everything that is held, to be given back.
    mutating func takeBack() -> RequestLease.Ask {
        RequestLease.Ask(wanted: 0, needed: 0, parts: 1, back: takeAll(), of: leasedAt)
    }

    private mutating func takeAll() -> Int64 {
        defer { unused = 0 }
        return unused
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
