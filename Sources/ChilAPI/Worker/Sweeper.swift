import ChilCore
import ChilDatabase
import ChilStore

/// Removes what has had its time, tenant by tenant: spent nonces and tokens, sessions that are over, images nobody published,
/// answers to repeated requests, rate limits nobody is near.
/// Replicas may sweep at once: each takes what the others have left. Not `Sendable`.
struct Sweeper {
    private let database: DatabaseClient
    private let log: ServiceLog
    private let stopping: StopFlag
    /// `nil`: everybody, at every sweep.
    private let rota: SweepRota?

    static let interval = Duration.seconds(60)
    private static let roundsMax = 50
    private static let rowsPerRound = 1_000

    init(_ database: DatabaseClient, _ log: ServiceLog, _ stopping: StopFlag = StopFlag(), rota: SweepRota? = nil) {
        self.database = database
        self.log = log
        self.stopping = stopping
        self.rota = rota
    }

    /// False: it was interrupted, and the next one takes up what this one has left.
    @discardableResult
    func sweep(at now: Timestamp) async -> Bool {
        do {
            // Until nothing is left that was over at `now`, or rows that anybody can have made would come faster than they go. In
            // turns, so that one tenant's do not keep the others' waiting.
            while try await RateLeaseSweep().run(on: database) == RateLeaseSweep.countMax, !stopping.isRaised {}
            var tenants = try await database.run(TenantList(), .read, of: nil).map(\.id)
            if let rota { tenants = rota.due(tenants, at: now) }
            var faults = TenantFaults("sweep of a tenant failed", log)
            while !tenants.isEmpty, !stopping.isRaised {
                var unfinished: [TenantID] = []
                for tenant in tenants where !stopping.isRaised {
                    do {
                        if try await !isSwept(tenant, at: now) { unfinished.append(tenant) }
                    } catch {
                        try faults.add(error, of: tenant)
                    }
                }
                tenants = unfinished
            }
            return !stopping.isRaised
        } catch {
            log.write(.warning, "sweep interrupted", [("error", String(reason: error))])
            return false
        }
    }

    /// A tenant's turn. False: there may be more.
    private func isSwept(_ tenant: TenantID, at now: Timestamp) async throws -> Bool {
        for _ in 0..<Self.roundsMax where !stopping.isRaised {
            let removed = try await Sweep(of: tenant, at: now, countMax: Self.rowsPerRound).run(on: database)
            if removed.most > 0 { rota?.removed(of: tenant, at: now) }
            if removed.most < Self.rowsPerRound { return true }
        }
        return false
    }
}
