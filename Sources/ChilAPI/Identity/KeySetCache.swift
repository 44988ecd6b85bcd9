import ChilAuth
import ChilCore
import ChilHTTP
import ChilLoop

/// Issuers' key sets by URL, shared by all loops: one fetch at a time for a URL, however many wait for it.
///
/// A set that was fetched by an operator's exception serves only records that have it, and a record without it, whose fetches are
/// refused, holds nobody up.
final class KeySetCache: Sendable {
    enum Answer: Sendable {
        case keys(KeySet)
        /// There is no set, and none can be had now.
        case away
    }

    private struct Key: Hashable {
        let url: String
        /// Fetched though the address may be private.
        let isException: Bool
    }

    private enum Step {
        case answer(Answer)
        case fetch
        case wait
    }

    private struct Entry {
        var keys: KeySet?
        /// Monotonic nanoseconds.
        var fetchedAt: Int64 = 0
        var triedAt: Int64 = 0
        var isFetching = false
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    /// The fetched set is fetched anew after this long; until the hard end the old one serves if that fails.
    static let softLife = Duration.seconds(6 * 3_600)
    static let hardLife = Duration.seconds(24 * 3_600)
    /// A `kid` that is not in the set causes at most one fetch in this time, however many tokens name one.
    static let unknownKeyPause = Duration.seconds(60)
    /// After a failed fetch.
    static let failurePause = Duration.seconds(2)
    private static let urlsMax = 10_000

    private let entries = Locked<[Key: Entry]>([:])
    private let log: ServiceLog

    init(log: ServiceLog) {
        self.log = log
    }

    /// The set of `url`, fetched if need be on the caller's loop.
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
        let isException = HTTPURL(url).map { addressGuard.makesException(for: $0) } ?? false
        let key = Key(url: url, isException: isException)
        while true {
            switch step(key, keyID, at: loop.monotonicNow) {
            case .answer(let answer): return answer
            case .fetch: await fetch(key, addressGuard, on: loop)
            case .wait: await waitForFetch(of: key)
            }
        }
    }

    private func step(_ key: Key, _ keyID: String, at now: Int64) -> Step {
        entries.withLock { entries in
            if entries.count >= Self.urlsMax, entries[key] == nil {
                // Those that are being fetched have waiters.
                entries = entries.filter { $0.value.isFetching }
            }
            var entry = entries[key, default: Entry()]
            defer { entries[key] = entry }
            if entry.isFetching {
                // Known keys go on serving while a new set is on its way.
                if let keys = entry.keys, keys[keyID] != nil { return .answer(.keys(keys)) }
                return .wait
            }
            let isUsable = entry.keys != nil && now - entry.fetchedAt < Self.hardLife.nanoseconds
            let mayTry = entry.triedAt == 0 || now - entry.triedAt > Self.failurePause.nanoseconds
            if let keys = entry.keys, isUsable {
                let isOld = now - entry.fetchedAt > Self.softLife.nanoseconds
                let isMissing = keys[keyID] == nil && now - entry.triedAt > Self.unknownKeyPause.nanoseconds
                guard (isOld || isMissing) && mayTry else { return .answer(.keys(keys)) }
            } else if !mayTry {
                return .answer(.away)
            }
            entry.isFetching = true
            entry.triedAt = now
            return .fetch
        }
    }

    private func fetch(_ key: Key, _ addressGuard: AddressGuard, on loop: EventLoop) async {
        let fetched = await Self.load(key.url, addressGuard, on: loop)
        let waiters = entries.withLock { entries in
            var entry = entries[key, default: Entry()]
            if case .success(let keys) = fetched {
                entry.keys = keys
                entry.fetchedAt = loop.monotonicNow
            }
            entry.isFetching = false
            let waiters = entry.waiters
            entry.waiters = []
            entries[key] = entry
            return waiters
        }
        if case .failure(let fault) = fetched {
            log.write(.warning, "key set not fetched", [("url", key.url), ("fault", fault.text)])
        }
        for waiter in waiters { waiter.resume() }
    }

    private func waitForFetch(of key: Key) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isOver = entries.withLock { entries in
                guard entries[key]?.isFetching == true else { return true }
                entries[key]?.waiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private struct Fault: Error {
        let text: String
    }

    /// A set is taken whole or not at all: a bad answer never empties a good set.
    private static func load(_ url: String, _ addressGuard: AddressGuard, on loop: EventLoop) async -> Result<
        KeySet, Fault
    > {
        guard let parsed = HTTPURL(url) else { return .failure(Fault(text: "no http or https URL")) }
        var request = ClientRequest(.get, parsed, fields: [("Accept", "application/json")])
        request.responseBytesMax = JWKSet.bytesMax
        request.patience = .seconds(5)
        do {
            let response = try await HTTPClient(on: loop, addressGuard).send(request)
            guard response.statusCode == 200 else { return .failure(Fault(text: "status \(response.statusCode)")) }
            let set = try JWKSet(parsing: response.body)
            guard !set.keys.keys.isEmpty else { return .failure(Fault(text: "no usable key in it")) }
            return .success(set.keys)
        } catch {
            return .failure(Fault(text: "\(error)"))
        }
    }
}

extension Duration {
    var nanoseconds: Int64 { wholeMicroseconds * 1_000 }
}
