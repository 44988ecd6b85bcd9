import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// One loop's rate limits: buckets in memory, and the tokens that it leases for them, for all that are busy in one statement.
/// Not `Sendable`.
final class RateLimiter {
    /// What a bucket said of one request.
    enum Verdict {
        case admitted(remaining: Int64, full: Int64)
        /// Seconds to wait.
        case refused(Int64)
        /// The share is not known, and without it nobody may sign in.
        case unknown
    }

    private struct Asked {
        let scope: RateScope
        let key: RateKey
        let rule: RateRule
        var reported: Int32 = 0
    }

    /// Requests that wait for one key's answer.
    private struct Waiting {
        let key: RateKey
        let continuation: UnsafeContinuation<Void, Never>
    }

    let keys: RateKeys
    private let loop: EventLoop
    private let database: DatabaseClient
    private let loopsOfProcess: Int
    /// Each scope has its own, so that many addresses push out no user and no tenant.
    private let addresses = RateTable(capacity: RateLimiter.addressesMax)
    private let tenants = RateTable(capacity: RateLimiter.tenantsMax)
    private let users = RateTable(capacity: RateLimiter.usersMax)
    /// Loops of all services as PostgreSQL last said; `nil`: it has said nothing yet.
    private var loops: Int?
    /// Until then the database is taken to be away.
    private var awayUntil: Int64 = 0
    private var lastShare = RateShare(loops: 1)
    private var shareUntil = Int64.min
    private var asks: [Asked] = []
    private var waiting: [Waiting] = []
    private var timer: LoopTimer?
    private var dueAt = Int64.max
    private var sentAt: Int64 = 0
    /// The ask that is under way, by its number; 0: none.
    private var underWay = 0
    private var sendings = 0

    init(_ keys: RateKeys, on loop: EventLoop, _ database: DatabaseClient, loopsOfProcess: Int) {
        self.keys = keys
        self.loop = loop
        self.database = database
        self.loopsOfProcess = loopsOfProcess
    }

    /// Takes one token of those that this loop has; `nil`: it has none, and PostgreSQL may have some.
    ///
    /// - Parameter isClosedUnshared: refuse until PostgreSQL has said how many loops share.
    func takeNow(_ scope: RateScope, _ key: RateKey, _ rule: RateRule, isClosedUnshared: Bool = false) -> Verdict? {
        if isClosedUnshared, loops == nil { return .unknown }
        let now = loop.monotonicNow
        let share = share(at: now)
        let bucket = table(scope).bucket(key, rule, share, at: now)
        switch bucket.pointee.take(rule, share, at: now) {
        case .admitted:
            if bucket.pointee.isLow(rule, share, at: now) {
                ask(scope, key, rule, bucket)
                send(by: now + Self.pause)
            }
            return .admitted(remaining: bucket.pointee.remaining, full: bucket.pointee.secondsUntilFull(rule))
        case .refused(let wait): return .refused(Self.seconds(wait))
        case .mustAsk:
            ask(scope, key, rule, bucket)
            return nil
        }
    }

    /// Takes one token. Waits only where this loop has none and PostgreSQL may have some.
    func take(_ scope: RateScope, _ key: RateKey, _ rule: RateRule, isClosedUnshared: Bool = false) async -> Verdict {
        let begun = loop.monotonicNow
        while true {
            if let verdict = takeNow(scope, key, rule, isClosedUnshared: isClosedUnshared) { return verdict }
            let now = loop.monotonicNow
            guard now - begun < Self.patience, waiting.count < Self.waitingMax else { return .refused(1) }
            send(by: max(now, sentAt + Self.pauseMin))
            await answer(scope, key)
        }
    }

    private func ask(_ scope: RateScope, _ key: RateKey, _ rule: RateRule, _ bucket: UnsafeMutablePointer<RateBucket>) {
        guard !bucket.pointee.isAsking else { return }
        bucket.pointee.isAsking = true
        asks.append(Asked(scope: scope, key: key, rule: rule))
    }

    private func answer(_ scope: RateScope, _ key: RateKey) async {
        await withUnsafeContinuation { continuation in
            // A caller without an actor may be put behind other jobs of the loop here, and one of them may have brought the answer.
            if table(scope).known(key)?.pointee.isAsking == true {
                waiting.append(Waiting(key: key, continuation: continuation))
            } else {
                continuation.resume()
            }
        }
    }

    /// What was taken for nothing.
    func giveBack(_ scope: RateScope, _ key: RateKey) {
        table(scope).known(key)?.pointee.giveBack()
    }

    func giveBack(_ keys: AddressKeys) {
        giveBack(.address, keys.own)
        if let site = keys.site { giveBack(.address, site) }
    }

    /// Learns how many loops there are, and again every few seconds: nobody signs in before.
    func start(_ started: @escaping () -> Void) {
        var batch = Batch(.read, of: nil)
        let slot = batch.add(LoopCount())
        database.post(batch) { [weak self] result in
            guard let self else { return }
            if case .success(let result) = result, let count = try? result.first(slot), count > 0 {
                let isFirst = loops == nil
                know(count)
                if isFirst { started() }
            }
            loop.after(loops == nil ? Self.retry : Self.countPause) { [weak self] in self?.start(started) }
        }
    }

    /// Those of this process are there, or will be in a moment.
    private func know(_ count: Int) {
        loops = max(loopsOfProcess, count)
        shareUntil = .min
    }

    /// Loops of all services, as far as this one knows.
    var loopCount: Int { loops ?? loopsOfProcess }

    // MARK: Asking

    /// Looked at anew now and then: whether there is a connection changes seldom, and each request asks three times.
    private func share(at now: Int64) -> RateShare {
        if now < shareUntil { return lastShare }
        lastShare = RateShare(loops: loopCount, isAway: now < awayUntil || !database.isConnected)
        shareUntil = now + Self.shareLife
        return lastShare
    }

    private func table(_ scope: RateScope) -> RateTable {
        switch scope {
        case .address: addresses
        case .tenant: tenants
        case .user: users
        }
    }

    /// Sends what is to be asked at that moment at the latest; one statement is under way at a time.
    private func send(by moment: Int64) {
        guard underWay == 0, moment < dueAt else { return }
        if let timer { loop.cancel(timer) }
        dueAt = moment
        let wait = max(0, moment - loop.monotonicNow)
        timer = loop.after(.nanoseconds(wait)) { [weak self] in self?.send() }
    }

    private func send() {
        timer = nil
        dueAt = .max
        let now = loop.monotonicNow
        guard database.isConnected, now >= awayUntil else { return stayAway(at: now) }
        var taken = Array(asks.prefix(RateLease.asksMax))
        asks.removeFirst(taken.count)
        let share = share(at: now)
        var lines: [RateLease.Ask] = []
        lines.reserveCapacity(taken.count)
        for index in taken.indices {
            let asked = taken[index]
            let bucket = table(asked.scope).bucket(asked.key, asked.rule, share, at: now)
            taken[index].reported = bucket.pointee.report()
            let crowd = Int32(clamping: waiting.count { $0.key == asked.key })
            lines.append(
                RateLease.Ask(
                    key: asked.key,
                    rule: asked.rule,
                    used: taken[index].reported,
                    wanted: min(asked.rule.quota, max(share.chunk(of: asked.rule), crowd))
                )
            )
        }
        guard !lines.isEmpty else { return }
        sendings += 1
        let number = sendings
        underWay = number
        sentAt = now
        var batch = Batch(.write, of: nil)
        let slot = batch.add(RateLease(lines))
        let count = batch.add(LoopCount())
        database.post(batch) { [weak self] result in
            self?.answered(
                number,
                taken,
                result.flatMap { sets in
                    Result { () throws(DatabaseError) in
                        Answer(grants: try sets.rows(slot), loops: try sets.first(count))
                    }
                }
            )
        }
        loop.after(Self.answerPatience) { [weak self] in
            guard let self, underWay == number else { return }
            stayAway(at: loop.monotonicNow)
        }
    }

    private struct Answer {
        let grants: [RateLease.Grant]
        /// Loops of all services that serve requests now.
        let loops: Int?
    }

    private func answered(_ number: Int, _ taken: [Asked], _ result: Result<Answer, DatabaseError>) {
        let now = loop.monotonicNow
        if underWay == number { underWay = 0 }
        switch result {
        case .success(let answer):
            if let count = answer.loops { know(count) }
            let grantOf = Dictionary(answer.grants.map { ($0.key, $0) }) { first, _ in first }
            for asked in taken {
                guard let grant = grantOf[asked.key] else { continue }
                table(asked.scope).known(asked.key)?.pointee
                    .granted(grant.granted, balance: grant.balance, asked.rule, at: now)
            }
            wake(taken)
        case .failure:
            for asked in taken { table(asked.scope).known(asked.key)?.pointee.askFailed(asked.reported) }
            stayAway(at: now)
        }
        if !asks.isEmpty { send(by: waiting.isEmpty ? now + Self.pause : max(now, sentAt + Self.pauseMin)) }
    }

    /// The database does not answer: for a while each loop gives its own part.
    private func stayAway(at now: Int64) {
        awayUntil = max(awayUntil, now + Self.awayPause)
        shareUntil = .min
        for asked in asks { table(asked.scope).known(asked.key)?.pointee.askFailed(0) }
        asks.removeAll()
        wakeAll()
    }

    private func wake(_ taken: [Asked]) {
        guard !waiting.isEmpty else { return }
        let keys = Set(taken.map(\.key))
        let all = waiting
        waiting = []
        for waiter in all {
            if keys.contains(waiter.key) {
                waiter.continuation.resume()
            } else {
                waiting.append(waiter)
            }
        }
    }

    private func wakeAll() {
        let all = waiting
        waiting = []
        for waiter in all { waiter.continuation.resume() }
    }

    private static func seconds(_ nanoseconds: Int64) -> Int64 { max(1, (nanoseconds + 999_999_999) / 1_000_000_000) }

    // 64 bytes each, made as they are used.
    static let addressesMax = 32_768
    static let tenantsMax = 16_384
    static let usersMax = 32_768
    /// Requests of this loop that wait for tokens.
    private static let waitingMax = 4_096
    /// Asks of buckets that have some left go together.
    private static let pause: Int64 = 100_000_000
    /// Between two statements while somebody waits.
    private static let pauseMin: Int64 = 5_000_000
    /// How long an answer may take before the loop goes on without.
    private static let answerPatience = Duration.milliseconds(300)
    private static let awayPause: Int64 = 1_000_000_000
    private static let shareLife: Int64 = 5_000_000
    private static let patience: Int64 = 1_000_000_000
    private static let retry = Duration.milliseconds(100)
    private static let countPause = Duration.seconds(2)
}
