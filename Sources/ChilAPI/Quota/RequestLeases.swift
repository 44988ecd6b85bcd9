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

    /// One request, to be given back if it was taken for nothing.
    struct Taken {
        fileprivate let key: Key
        fileprivate let moment: Timestamp
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
    @discardableResult
    func take(_ key: Key) async throws -> Taken {
        let lease = lease(key)
        while true {
            let now = loop.wallClock
            switch lease.part.take(at: now, loop.monotonicNow) {
            case .taken:
                if lease.part.isLow { ask(key, lease) }
                return Taken(key: key, moment: now)
            case .refused(let refusal): throw Problem.quotaExceeded(refusal, at: loop.wallClock)
            case .mustAsk: guard await hasAnswer(key, lease) else { throw Problem.databaseAway }
            }
        }
    }

    /// What was taken for nothing.
    func giveBack(_ taken: Taken) {
        leases[taken.key]?.part.giveBack(takenAt: taken.moment)
    }

    /// The tenant's limits may be others now; `nil`: everybody's may.
    func changed(_ tenant: TenantID?) {
        for (key, lease) in leases where tenant == nil || key.tenant == tenant { lease.part.expire() }
    }

    /// Gives everything back, at the end. Returns when PostgreSQL has it, or cannot be asked.
    func giveAllBack() async {
        for (key, lease) in leases where lease.part.hasUnused {
            _ = try? await RequestLease(lease.part.askToTakeBack(), in: key.tenant, by: key.user, at: loop.wallClock)
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
        post(ask, key, lease, at: now)
    }

    private func post(_ ask: RequestLease.Ask, _ key: Key, _ lease: Lease, at now: Timestamp) {
        let statement = RequestLease(ask, in: key.tenant, by: key.user, at: now)
        var batch = Batch(.write, of: key.tenant, contending: statement.contention)
        let slot = batch.add(statement)
        database.post(batch) { [loop] result in
            let grant: RequestLease.Grant?
            do throws(DatabaseError) {
                grant = try result.get().first(slot)
                if grant == nil { lease.part.askFailed(isUnknown: true) }
            } catch {
                grant = nil
                lease.part.askFailed(isUnknown: error.code == .outcomeUnknown)
            }
            if let grant { lease.part.answered(grant, askedAt: now, loop.monotonicNow) }
            let waiting = lease.waiting
            lease.waiting = []
            for waiter in waiting { waiter.resume(returning: grant != nil) }
        }
    }

    /// Gives back what nobody came for. A lease is forgotten when PostgreSQL has it all.
    private func sweep() -> Bool {
        let moment = loop.monotonicNow, now = loop.wallClock
        var backs = 0
        for (key, lease) in leases where lease.part.isIdle(at: moment) {
            if !lease.part.hasUnused {
                leases[key] = nil
            } else if backs < Self.backsMax {
                backs += 1
                post(lease.part.askToTakeBack(), key, lease, at: now)
            }
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
