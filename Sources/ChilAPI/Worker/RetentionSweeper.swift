import ChilCore
import ChilDatabase
import ChilStore

/// Removes what each tenant has kept for as long as it says, and notices requests for erasure that are overdue. In rounds of few rows, tenant
/// after tenant, so that none keeps the others waiting. Replicas may do it at once: each takes what the others have left. Not `Sendable`.
struct RetentionSweeper {
    private let database: DatabaseClient
    private let ids: IDSource
    private let log: ServiceLog
    private let stopping: StopFlag

    static let interval = Duration.seconds(3_600)
    /// While there is no number to be had, or no database.
    static let retryInterval = Duration.seconds(10)
    private static let rowsPerRound = 500

    init(_ database: DatabaseClient, _ ids: IDSource, _ log: ServiceLog, _ stopping: StopFlag) {
        self.database = database
        self.ids = ids
        self.log = log
        self.stopping = stopping
    }

    /// False: it was interrupted, and what is left waits for a moment. A tenant whose turn failed has the next one with everybody.
    func sweep(at now: Timestamp) async -> Bool {
        do {
            var places = try await database.run(TenantList(), .read, of: nil)
                .map { (tenant: $0.id, afterDrawing: DrawingID(rawValue: 0)) }
            var faults = TenantFaults("retention of a tenant failed", log)
            while !places.isEmpty {
                var unfinished: [(tenant: TenantID, afterDrawing: DrawingID)] = []
                for place in places {
                    if stopping.isRaised { return true }
                    let round = RetentionSweep(
                        of: place.tenant,
                        afterDrawing: place.afterDrawing,
                        audit: try ids.next(at: now),
                        at: now,
                        countMax: Self.rowsPerRound
                    )
                    let removed: RetentionSweep.Removed
                    do {
                        removed = try await round.run(on: database)
                    } catch {
                        try faults.add(error, of: place.tenant)
                        continue
                    }
                    tell(removed, of: place.tenant)
                    if removed.nextDrawing != nil || removed.most >= Self.rowsPerRound {
                        unfinished.append((place.tenant, removed.nextDrawing ?? place.afterDrawing))
                    }
                }
                places = unfinished
            }
            return true
        } catch {
            log.write(.warning, "retention interrupted", [("error", String(reason: error))])
            return false
        }
    }

    private func tell(_ removed: RetentionSweep.Removed, of tenant: TenantID) {
        if removed.overdue > 0 {
            log.write(
                .warning,
                "requests for erasure are overdue",
                [("tenant", "\(tenant.rawValue)"), ("count", "\(removed.overdue)")]
            )
        }
        if removed.drawings > 0 {
            log.write(
                .info,
                "drawings had their time",
                [("tenant", "\(tenant.rawValue)"), ("count", "\(removed.drawings)")]
            )
        }
    }
}
