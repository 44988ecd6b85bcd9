import ChilStore

/// What a loop may give out of a bucket that all loops share. All numbers of requests.
struct RateShare: Equatable {
    /// Loops of all services, this one among them.
    var loops: Int
    /// The database cannot be asked: each loop gives its part and no more.
    var isAway = false

    /// What is given without asking, in a window. Together with what others give so it stays within 5 % of the rule.
    func free(of rule: RateRule) -> Float {
        let part = Float(rule.quota) / Float(max(loops, 1))
        return min(Self.exactMax, isAway ? max(1, part) : (part / 20).rounded(.down))
    }

    /// A `Float` counts exactly up to here; nobody sends a loop as many in a window.
    private static let exactMax: Float = 16_000_000

    /// What is leased at once. All loops together hold less than 7 % of the rule unused.
    func chunk(of rule: RateRule) -> Int32 {
        max(1, rule.quota / Int32(16 * max(loops, 1)))
    }
}

/// A loop's part of one bucket of tokens: a value, time is a parameter (monotonic nanoseconds).
///
/// Tokens come from two sources: a few that are the loop's own, so that whoever is quiet costs the database nothing, and leased ones.
/// What is used of the loop's own is reported with the next ask and counts in the shared bucket from then on.
struct RateBucket: BitwiseCopyable {
    enum Verdict: Equatable {
        case admitted
        /// Nothing for so long, in nanoseconds.
        case refused(Int64)
        /// Nothing here; PostgreSQL may have some.
        case mustAsk
    }

    private(set) var first: UInt64 = 0
    private(set) var second: UInt64 = 0
    /// When it was last used; 0: it is nobody's.
    private(set) var touched: Int64 = 0
    /// There are none anywhere until then.
    private(set) var deniedUntil: Int64 = 0
    private var leasedUntil: Int64 = 0
    /// The whole bucket as far as this loop knows.
    private var whole: Float = 0
    private var free: Float = 0
    private var leased: Int32 = 0
    /// Used of the loop's own and not reported.
    private var unreported: Int32 = 0
    /// Tells a rule that was changed from the one before.
    private var ruleMark: UInt32 = 0
    /// It has had its part of the whole since the database is away.
    private var isAlone = false
    /// It stands in the list of those to be asked for.
    var isAsking = false

    init() {}

    init(_ key: RateKey, _ rule: RateRule, _ share: RateShare, at now: Int64) {
        first = key.first
        second = key.second
        touched = now
        whole = Float(rule.quota)
        free = share.free(of: rule)
        ruleMark = Self.mark(of: rule)
        isAlone = share.isAway
    }

    var key: RateKey { RateKey(first: first, second: second) }

    func isOf(_ key: RateKey) -> Bool { first == key.first && second == key.second && touched != 0 }

    /// Takes one token.
    mutating func take(_ rule: RateRule, _ share: RateShare, at now: Int64) -> Verdict {
        refill(rule, share, at: now)
        if leased > 0 {
            leased -= 1
        } else if free >= 1 {
            free -= 1
            report(1)
        } else if share.isAway {
            let perToken = Double(rule.window) * 1e9 / Double(share.free(of: rule))
            return .refused(max(1, Int64((1 - Double(free)) * perToken)))
        } else if now < deniedUntil {
            return .refused(deniedUntil - now)
        } else {
            return .mustAsk
        }
        whole -= 1
        return .admitted
    }

    /// What was taken for nothing.
    mutating func giveBack() {
        if unreported > 0 {
            unreported -= 1
            free += 1
        } else {
            leased += 1
        }
        whole += 1
    }

    /// Whether it is time to ask, before there is nothing left.
    func isLow(_ rule: RateRule, _ share: RateShare, at now: Int64) -> Bool {
        !isAsking && !share.isAway && now >= deniedUntil && leased + Int32(free) <= share.chunk(of: rule) / 4
    }

    /// What is told with an ask; it counts as told until `askFailed`.
    mutating func report() -> Int32 {
        defer { unreported = 0 }
        return unreported
    }

    mutating func askFailed(_ reported: Int32) {
        isAsking = false
        report(reported)
    }

    private mutating func report(_ used: Int32) {
        unreported = Int32(clamping: Int64(unreported) + Int64(used))
    }

    /// The answer to an ask. By a rule that was changed meanwhile it is none.
    mutating func granted(_ count: Int32, balance: Double, _ rule: RateRule, at now: Int64) {
        isAsking = false
        guard ruleMark == Self.mark(of: rule) else { return }
        let window = Int64(rule.window) * 1_000_000_000
        if now >= leasedUntil { leased = 0 }
        leased += count
        leasedUntil = now + window
        whole = Float(max(0, balance)) + Float(leased)
        guard count == 0 else {
            deniedUntil = 0
            return
        }
        let wait = (1 - balance) * Double(window) / Double(rule.quota)
        deniedUntil = now + max(Self.denialMin, Int64(wait))
    }

    /// What is left of the whole, as far as this loop knows.
    var remaining: Int64 { Int64(max(0, whole)) }

    /// Seconds until the whole bucket is full again, rounded up.
    func secondsUntilFull(_ rule: RateRule) -> Int64 {
        let missing = Double(rule.quota) - Double(max(0, whole))
        return max(0, Int64((missing * Double(rule.window) / Double(rule.quota)).rounded(.up)))
    }

    private mutating func refill(_ rule: RateRule, _ share: RateShare, at now: Int64) {
        if ruleMark != Self.mark(of: rule) {
            // Whoever waited by the rule before does not have to any more, and what was leased by it is worth nothing.
            ruleMark = Self.mark(of: rule)
            deniedUntil = 0
            leased = 0
            whole = min(whole, Float(rule.quota))
        }
        let freeMax = share.free(of: rule)
        if share.isAway, !isAlone { free = max(free, min(freeMax, whole / Float(max(share.loops, 1)))) }
        isAlone = share.isAway
        let windows = Double(max(0, now - touched)) / (Double(rule.window) * 1e9)
        free = min(freeMax, free + Float(windows * Double(freeMax)))
        whole = min(Float(rule.quota), whole + Float(windows * Double(rule.quota)))
        if now >= leasedUntil { leased = 0 }
        touched = max(touched, now)
    }

    private static func mark(of rule: RateRule) -> UInt32 {
        UInt32(bitPattern: rule.quota) &* 100_003 &+ UInt32(bitPattern: rule.window)
    }

    /// A bucket that is empty everywhere is asked for no more often than this, whatever comes.
    private static let denialMin: Int64 = 100_000_000
}
