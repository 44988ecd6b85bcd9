import ChilAuth
import ChilCore
import ChilHTTP
import ChilLoop

@testable import ChilAPI

/// A shelf in memory.
final class MemoryShelf: KeySetShelf, Sendable {
    struct Kept: Sendable {
        var body: [UInt8]
        var fetchedAt: Timestamp
    }

    let rows = Locked<[KeySetName: Kept]>([:])

    func load(_ name: KeySetName) async -> (body: [UInt8], fetchedAt: Timestamp)? {
        rows.withLock { $0[name] }.map { ($0.body, $0.fetchedAt) }
    }

    func keep(_ body: [UInt8], of name: KeySetName, fetchedAt: Timestamp) async {
        rows.withLock { $0[name] = Kept(body: body, fetchedAt: fetchedAt) }
    }
}

/// A cache with its fetcher at work, as in a process: on a loop of its own.
actor FetcherHome {
    nonisolated let cache = KeySetCache()
    nonisolated let shelf = MemoryShelf()
    private nonisolated let thread: LoopThread
    private let fetcher: KeySetFetcher

    init() throws {
        thread = try LoopThread()
        fetcher = KeySetFetcher(cache, shelf, on: thread.loop, ServiceLog(form: .off))
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.loop.asUnownedSerialExecutor() }
    nonisolated var loop: EventLoop { thread.loop }

    /// Runs `body` beside the fetcher.
    static func with<Value: Sendable>(_ body: (FetcherHome) async throws -> Value) async throws -> Value {
        let home = try FetcherHome()
        let running = Task(executorPreference: home.loop) { await home.run() }
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(home))
        } catch {
            outcome = .failure(error)
        }
        home.cache.close()
        await running.value
        home.loop.stop()
        home.thread.join()
        return try outcome.get()
    }

    private func run() async {
        let (loop, cache) = (loop, cache)
        await withDiscardingTaskGroup { group in
            while let name = await cache.nextWanted() {
                group.addTask(executorPreference: loop) { await self.obtain(name) }
            }
        }
    }

    private func obtain(_ name: KeySetName) async { await fetcher.obtain(name) }

    /// The set's `kid`s as a request sees them; nil: away.
    func keyIDs(_ url: String, holding keyID: String, _ addressGuard: AddressGuard) async -> [String]? {
        switch await cache.keys(url, holding: keyID, addressGuard, on: loop) {
        case .keys(let keys): keys.keys.map(\.keyID)
        case .away: nil
        }
    }

    func verified<Token: KeyedToken>(_ token: Token, _ addressGuard: AddressGuard) async -> Result<
        Token.Verified, KeySetCache.Refusal
    > {
        await cache.verified(token, KeySetName(token.provider.jwksURL, addressGuard), on: loop)
    }
}
