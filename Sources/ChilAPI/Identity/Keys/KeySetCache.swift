import ChilAuth
import ChilCore
import ChilHTTP
import ChilLoop

/// Issuers' key sets, shared by all loops. Requests ask it; `KeySetFetcher` does what it wants done, one fetch at a time for a set,
/// however many wait for it.
final class KeySetCache: Sendable {
    enum Answer: Sendable {
        case keys(KeySet)
        /// There is no set, and none can be had now.
        case away
    }

    /// Why a token is not taken.
    enum Refusal: Error {
        /// Its keys cannot be had now: nothing is said of the token.
        case away
        case rejected(ChilAuth.Rejection)
    }

    fileprivate struct Entry {
        var state = KeySetState()
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    fileprivate struct State {
        var entries: [KeySetName: Entry] = [:]
        /// To be fetched, in the order of asking.
        var wanted: [KeySetName] = []
        var fetcher: UnsafeContinuation<Void, Never>?
        var isClosed = false
    }

    /// Sets are the operators' to name; more than these are not all in use at once.
    fileprivate static let setsMax = 16_384

    private let state = Locked(State())

    // MARK: Asked by requests

    /// The last check of a token, with its provider's keys, which are the set `name`. A signature that does not fit a known key earns one look for another key
    /// under the same `kid`, as seldom as an unknown `kid` does.
    func verified<Token: KeyedToken>(
        _ token: Token,
        _ name: KeySetName,
        on loop: EventLoop
    ) async -> Result<Token.Verified, Refusal> {
        guard let (keys, version) = await keys(name, for: .key(token.keyID), on: loop) else { return .failure(.away) }
        let first = token.verified(with: keys)
        guard case .failure(.badSignature) = first,
            let (newer, newVersion) = await self.keys(name, for: .newer(than: version), on: loop), newVersion > version
        else { return first.mapError(Refusal.rejected) }
        return token.verified(with: newer).mapError(Refusal.rejected)
    }

    /// The set of `url`, fetched if need be.
    ///
    /// - Parameters:
    ///   - keyID: the `kid` that is looked for: a set without it is worth one fetch, now and then.
    ///   - addressGuard: what may be reached for this provider record.
    func keys(
        _ url: String,
        holding keyID: String,
        _ addressGuard: AddressGuard,
        on loop: EventLoop
    ) async -> Answer {
        let answer = await keys(KeySetName(url, addressGuard), for: .key(keyID), on: loop)
        return answer.map { .keys($0.keys) } ?? .away
    }

    private func keys(
        _ name: KeySetName,
        for need: KeySetState.Need,
        on loop: EventLoop
    ) async -> (keys: KeySet, version: Int)? {
        while true {
            let (step, fetcher) = state.withLock { $0.step(name, need, at: loop.monotonicNow) }
            fetcher?.resume()
            switch step {
            case .answer(let keys, let version), .answerAndFetch(let keys, let version): return (keys, version)
            case .away: return nil
            case .fetchAndWait, .wait: await waitForFetch(of: name)
            }
        }
    }

    private func waitForFetch(of name: KeySetName) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                guard state.entries[name]?.state.isFetching == true else { return true }
                state.entries[name]?.waiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    // MARK: Asked by the fetcher

    /// The next set to be fetched. Waits for one; nil once `close` was called.
    func nextWanted() async -> KeySetName? {
        while true {
            let (next, isClosed) = state.withLock { state in
                (state.wanted.isEmpty ? nil : state.wanted.removeFirst(), state.isClosed)
            }
            if let next { return next }
            if isClosed { return nil }
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                let mustLook = state.withLock { state in
                    if !state.wanted.isEmpty || state.isClosed { return true }
                    state.fetcher = continuation
                    return false
                }
                if mustLook { continuation.resume() }
            }
        }
    }

    /// Whether what was kept of the set has not been looked up yet.
    func mustLoad(_ name: KeySetName) -> Bool {
        state.withLock { $0.entries[name]?.state.isLoaded != true }
    }

    /// False: what was kept is of no use, and the set must be fetched.
    func loaded(_ keys: KeySet?, age: Duration, of name: KeySetName, at now: Int64) -> Bool {
        change(name) { $0.loaded(keys, age: age, at: now) }
    }

    func fetched(_ keys: KeySet, of name: KeySetName, at now: Int64) {
        change(name) { $0.fetched(keys, at: now) }
    }

    func failed(_ name: KeySetName) {
        change(name) { $0.failed() }
    }

    /// No more fetches: whoever needs one is told that the issuer is away.
    func close() {
        let (fetcher, waiters) = state.withLock { state in
            state.isClosed = true
            let names = state.wanted
            state.wanted = []
            let waiters = names.flatMap { state.end($0) { $0.failed() }.waiters }
            defer { state.fetcher = nil }
            return (state.fetcher, waiters)
        }
        fetcher?.resume()
        for waiter in waiters { waiter.resume() }
    }

    private func change<Value>(_ name: KeySetName, _ body: (inout KeySetState) -> Value) -> Value {
        let (value, waiters) = state.withLock { $0.end(name, body) }
        for waiter in waiters { waiter.resume() }
        return value
    }
}

extension KeySetCache.State {
    /// What `need` comes to, and whom to wake if something is to be fetched.
    fileprivate mutating func step(
        _ name: KeySetName,
        _ need: KeySetState.Need,
        at now: Int64
    ) -> (KeySetState.Step, UnsafeContinuation<Void, Never>?) {
        if entries.count >= KeySetCache.setsMax, entries[name] == nil { forgetTheLongUnused() }
        let step = entries[name, default: KeySetCache.Entry()].state.needed(need, at: now)
        switch step {
        case .answer, .wait, .away: return (step, nil)
        case .answerAndFetch, .fetchAndWait:
            if isClosed {
                entries[name]?.state.failed()
                return (step.withoutFetch, nil)
            }
            wanted.append(name)
            defer { fetcher = nil }
            return (step, fetcher)
        }
    }

    /// Changes an entry, and takes its waiters out if nothing is under way any more.
    fileprivate mutating func end<Value>(
        _ name: KeySetName,
        _ body: (inout KeySetState) -> Value
    ) -> (value: Value, waiters: [UnsafeContinuation<Void, Never>]) {
        var entry = entries[name, default: KeySetCache.Entry()]
        let value = body(&entry.state)
        var waiters: [UnsafeContinuation<Void, Never>] = []
        if !entry.state.isFetching { swap(&waiters, &entry.waiters) }
        entries[name] = entry
        return (value, waiters)
    }

    /// The half that was asked for longest ago. Those that are being fetched have waiters.
    private mutating func forgetTheLongUnused() {
        let moments = entries.values.map(\.state.usedAt).sorted()
        let middle = moments[moments.count / 2]
        entries = entries.filter { $0.value.state.isFetching || $0.value.state.usedAt > middle }
    }
}

extension KeySetState.Step {
    fileprivate var withoutFetch: Self {
        switch self {
        case .answerAndFetch(let keys, let version): .answer(keys, version: version)
        case .fetchAndWait, .wait, .away: .away
        case .answer: self
        }
    }
}
