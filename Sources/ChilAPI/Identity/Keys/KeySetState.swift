import ChilAuth
import ChilCore

/// What is known of one issuer's key set, and what is to be done about it. A value without I/O: moments are monotonic nanoseconds.
struct KeySetState {
    /// What a token asks of the set.
    enum Need {
        /// A key of this `kid`.
        case key(String)
        /// A set that was fetched after this version of it: the key of that one did not verify.
        case newer(than: Int)
    }

    enum Step {
        /// Use these.
        case answer(KeySet, version: Int)
        /// Use these, and have the set fetched anew: nobody waits for it.
        case answerAndFetch(KeySet, version: Int)
        case fetchAndWait
        /// Somebody fetches it.
        case wait
        /// There is no set, and none can be had now.
        case away
    }

    /// The fetched set is fetched anew after this long; until the hard end the old one serves.
    static let softLife = Duration.seconds(6 * 3_600)
    static let hardLife = Duration.seconds(24 * 3_600)
    /// What tokens ask for that the set does not have (an unknown `kid`, another key under a known one) causes at most one fetch in
    /// this time, however many there are.
    static let tokenPause = Duration.seconds(60)
    /// After a failed fetch; twice as long after each further one, up to `failurePauseMax`.
    static let failurePause = Duration.seconds(2)
    static let failurePauseMax = Duration.seconds(16)

    private var keys: KeySet?
    /// Counts the sets that came.
    private var version = 0
    private var fetchedAt: Int64 = 0
    private var triedAt: Int64?
    private var failures = 0
    /// Between `fetchAndWait` or `answerAndFetch` and `fetched` or `failed`.
    private(set) var isFetching = false
    /// Whether what was kept of earlier runs has been looked up.
    private(set) var isLoaded = false
    /// The last time that a token asked.
    private(set) var usedAt: Int64 = 0

    mutating func needed(_ need: Need, at now: Int64) -> Step {
        usedAt = now
        guard let keys, now - fetchedAt < Self.hardLife.nanoseconds else {
            if isFetching { return .wait }
            guard hasPaused(for: failurePause, at: now) else { return .away }
            begin(at: now)
            return .fetchAndWait
        }
        if isMet(need, by: keys) {
            guard !isFetching, now - fetchedAt > Self.softLife.nanoseconds, hasPaused(for: failurePause, at: now) else {
                return .answer(keys, version: version)
            }
            begin(at: now)
            return .answerAndFetch(keys, version: version)
        }
        if isFetching { return .wait }
        guard hasPaused(for: Self.tokenPause, at: now) else { return .answer(keys, version: version) }
        begin(at: now)
        return .fetchAndWait
    }

    /// What was kept of an earlier run, or by another process. False: it is of no use, and the fetch goes on.
    ///
    /// - Parameter age: since the issuer gave it.
    mutating func loaded(_ kept: KeySet?, age: Duration, at now: Int64) -> Bool {
        isLoaded = true
        guard let kept, age < Self.hardLife else { return false }
        keys = kept
        version += 1
        fetchedAt = now - max(.zero, age).nanoseconds
        triedAt = fetchedAt
        isFetching = false
        return true
    }

    mutating func fetched(_ fresh: KeySet, at now: Int64) {
        keys = fresh
        version += 1
        fetchedAt = now
        failures = 0
        isFetching = false
    }

    /// A bad answer never empties a good set.
    mutating func failed() {
        failures += 1
        isFetching = false
    }

    private mutating func begin(at now: Int64) {
        isFetching = true
        triedAt = now
    }

    private func isMet(_ need: Need, by keys: KeySet) -> Bool {
        switch need {
        case .key(let keyID): keys[keyID] != nil
        case .newer(let known): version > known
        }
    }

    private func hasPaused(for pause: Duration, at now: Int64) -> Bool {
        triedAt.map { now - $0 > pause.nanoseconds } ?? true
    }

    private var failurePause: Duration {
        if failures == 0 { return .zero }
        return min(Self.failurePauseMax, Self.failurePause * (1 << min(failures - 1, 8)))
    }
}

extension Duration {
    var nanoseconds: Int64 { wholeMicroseconds * 1_000 }
}
