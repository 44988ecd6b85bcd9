import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// One loop's leases of the quota `requests`: whoever has one is served without asking PostgreSQL, which hears of a chunk at a time.
/// Tenants without such a quota are not in it. Not `Sendable`.
final class RequestLeases {
    /// Whose limits: those of all of the tenant together where there is no user.
    struct Key: Hashable {
        let tenant: TenantID
        let user: UserID?
    }

    private final class Lease {
        var part: RequestPart
        /// Told whether PostgreSQL has answered.
        var waiting: [UnsafeContinuation<Bool, Never>] = []

        init(_ part: RequestPart) {
            self.part = part
        }
    }

    private let loop: EventLoop
    private let database: DatabaseClient
    private let limiter: RateLimiter
    private var leases: [Key: Lease] = [:]
    private var isSweeping = false

    /// - Parameter limiter: knows how many loops there are.
    init(on loop: EventLoop, _ database: DatabaseClient, _ limiter: RateLimiter) {
        self.loop = loop
        self.database = database
        self.limiter = limiter
    }

    /// Takes one request. Waits only where this loop has none and PostgreSQL may have some.
    ///
    /// - Throws: `Problem.quotaExceeded`; `Problem.databaseAway` where nobody can say what is left.
    func take(_ key: Key) async throws {
        let lease = lease(key)
        while true {
            switch lease.part.take(at: loop.wallClock, loop.monotonicNow) {
            case .taken:
                if lease.part.isLow { ask(key, lease) }
                return
            case .refused(let refusal): throw Problem.quotaExceeded(refusal, at: loop.wallClock)
            case .mustAsk: guard await hasAnswer(key, lease) else { throw Problem.databaseAway }
            }
        }
    }

    /// What was taken for nothing.
    func giveBack(_ key: Key) {
        leases[key]?.part.giveBack()
    }

    /// The tenant's limits may be others now; `nil`: everybody's may.
    func changed(_ tenant: TenantID?) {
        for (key, lease) in leases where tenant == nil || key.tenant == tenant { lease.part.expire() }
    }

    /// Gives everything back, at the end. Returns when PostgreSQL has it, or cannot be asked.
    func giveAllBack() async {
        for (key, lease) in leases where lease.part.unused > 0 {
            _ = try? await RequestLease(lease.part.takeBack(), in: key.tenant, by: key.user, at: loop.wallClock)
                .first(from: database)
            guard database.isConnected else { return }
        }
    }

    // MARK: Asking

    private func lease(_ key: Key) -> Lease {
        if let lease = leases[key] { return lease }
        // One that is not kept is asked for each time, and has nothing left.
        guard leases.count < Self.leasesMax else { return Lease(RequestPart(chunk: 1, at: loop.monotonicNow)) }
        let lease = Lease(RequestPart(at: loop.monotonicNow))
        leases[key] = lease
        if !isSweeping {
            isSweeping = true
            loop.every(Self.sweepPause) { [weak self] in self?.sweep() ?? false }
        }
        return lease
    }

    private func hasAnswer(_ key: Key, _ lease: Lease) async -> Bool {
        await withUnsafeContinuation { continuation in
            lease.waiting.append(continuation)
            if !lease.part.isAsking { ask(key, lease) }
        }
    }

    private func ask(_ key: Key, _ lease: Lease) {
        let now = loop.wallClock
        let ask = lease.part.ask(needed: lease.waiting.count, loops: limiter.loopCount, at: now, loop.monotonicNow)
        post(ask, key, at: now) { [loop] grant in
            if let grant {
                lease.part.answered(grant, askedAt: now, loop.monotonicNow)
            } else {
                lease.part.askFailed()
            }
            let waiting = lease.waiting
            lease.waiting = []
            for waiter in waiting { waiter.resume(returning: grant != nil) }
        }
    }

    private func post(
        _ ask: RequestLease.Ask,
        _ key: Key,
        at now: Timestamp,
        _ told: @escaping (RequestLease.Grant?) -> Void
    ) {
        let statement = RequestLease(ask, in: key.tenant, by: key.user, at: now)
        var batch = Batch(.write, of: key.tenant, contending: statement.contention)
        let slot = batch.add(statement)
        database.post(batch) { result in told(try? result.get().first(slot)) }
    }

    /// Gives back what nobody came for.
    private func sweep() -> Bool {
        let moment = loop.monotonicNow, now = loop.wallClock
        var backs = 0
        for (key, lease) in leases.filter({ $0.value.part.isIdle(at: moment) }) {
            if lease.part.unused > 0 {
                guard backs < Self.backsMax else { continue }
                backs += 1
                post(lease.part.takeBack(), key, at: now) { _ in }
            }
            leases[key] = nil
        }
        isSweeping = !leases.isEmpty
        return isSweeping
    }

    /// Who asked for something within the last seconds; some 250 bytes each.
    static let leasesMax = 16_384
    private static let sweepPause = Duration.seconds(1)
    /// Given back at once.
    private static let backsMax = 64
}
