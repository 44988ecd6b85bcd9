import ChilCore
import ChilDatabase
import ChilStore

/// Removes tenants that an operator has deleted, when their time has come. In rounds of few rows; replicas may do it at once. Not `Sendable`.
struct TenantPurger {
    private let database: DatabaseClient
    private let log: ServiceLog
    private let stopping: StopFlag

    private static let rowsPerRound = 1_000

    init(_ database: DatabaseClient, _ log: ServiceLog, _ stopping: StopFlag) {
        self.database = database
        self.log = log
        self.stopping = stopping
    }

    /// What fails, or is interrupted, goes on with the next round.
    func purge(at now: Timestamp) async {
        do {
            for tenant in try await database.run(TenantsToPurge(at: now), .read, of: nil) {
                var rows: Int64 = 0
                while !stopping.isRaised {
                    let step = TenantPurge(of: tenant, at: now, countMax: Self.rowsPerRound)
                    let (outcome, count) = try await step.answer(from: database)
                    rows += count
                    guard outcome == .more else {
                        if outcome == .purged { tell(tenant, rows) }
                        break
                    }
                }
            }
        } catch {
            log.write(.warning, "the end of a tenant was interrupted", [("error", String(reason: error))])
        }
    }

    private func tell(_ tenant: TenantID, _ rows: Int64) {
        log.write(.info, "a deleted tenant has gone", [("tenant", "\(tenant.rawValue)"), ("rows", "\(rows)")])
    }
}
