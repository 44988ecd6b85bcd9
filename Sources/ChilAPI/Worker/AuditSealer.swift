import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Seals the audit, tenant by tenant, a page of rows at a time. Replicas may do it at once: PostgreSQL lets one at a tenant.
///
/// It keeps nothing: what is not sealed is an index of PostgreSQL's, so what committed late, what others wrote and what was left when a
/// process died is found by the next pass of whoever is there. Not `Sendable`.
struct AuditSealer {
    private let loop: EventLoop
    private let database: any Database
    private let log: ServiceLog
    private let stopping: StopFlag
    private let interval: Duration
    private let trouble = Locked(TroubleNews())

    private static let rowsPerPage: Int32 = 1_000
    /// Of one tenant, before it is another's turn.
    private static let pagesPerTurn = 20
    private static let tenantsPerPage: Int32 = 1_000

    /// - Parameter interval: between two passes.
    init(
        _ database: any Database,
        _ log: ServiceLog,
        on loop: EventLoop,
        _ stopping: StopFlag,
        every interval: Duration = .seconds(2)
    ) {
        self.database = database
        self.log = log
        self.loop = loop
        self.stopping = stopping
        self.interval = interval
    }

    /// Until stopped.
    func run() async {
        while !stopping.isRaised {
            await pass()
            await loop.sleep(interval)
        }
    }

    /// Everything that has come by now.
    func pass() async {
        do {
            try await seal()
            _ = trouble.withLock { $0.heard(nil, at: loop.monotonicNow) }
        } catch {
            // The next pass takes up what this one has left.
            let news = trouble.withLock { $0.heard(String(reason: error), at: loop.monotonicNow) }
            if case .fault(let reason) = news {
                log.write(.warning, "sealing of the audit interrupted", [("error", reason)])
            }
        }
    }

    private func seal() async throws {
        var unfinished: [TenantID] = []
        var faults = TenantFaults("sealing of a tenant's audit failed", log)
        var after: TenantID? = TenantID(rawValue: 0)
        while let from = after, !stopping.isRaised {
            let page = UnsealedTenants(after: from, countMax: Self.tenantsPerPage)
            guard let found = try await database.run(page, .read, of: nil).first else { return }
            for tenant in found.tenants where !stopping.isRaised {
                do {
                    if try await !isSealed(tenant) { unfinished.append(tenant) }
                } catch {
                    try faults.add(error, of: tenant)
                }
            }
            after = found.next
        }
        // In turns, so that one tenant's rows do not keep the others' waiting; what is left after two comes with the next pass.
        for tenant in unfinished where !stopping.isRaised {
            do {
                _ = try await isSealed(tenant)
            } catch {
                try faults.add(error, of: tenant)
            }
        }
    }

    /// A tenant's turn. False: there may be more.
    private func isSealed(_ tenant: TenantID) async throws -> Bool {
        for _ in 0..<Self.pagesPerTurn {
            guard
                case .sealed(_, isEnd: false) = try await AuditSeal(tenant, countMax: Self.rowsPerPage).answer(
                    from: database
                )
            else { return true }
        }
        return false
    }
}
