import ChilCore
import ChilDatabase

/// What can be limited.
package enum QuotaMetric: String, Sendable, CaseIterable {
    case users
    case drawings
    case storageBytes = "storage_bytes"
    case generations
    case motions
    case printJobs = "print_jobs"
    case printedPages = "printed_pages"
    case printers
    /// Live sessions of one user: nobody is refused, the one used least recently ends.
    case sessionsPerUser = "sessions_per_user"
    case requests

    /// The number of the metric's row among the contended rows of a tenant.
    package var contentionRow: Int64 {
        switch self {
        case .users: 1
        case .drawings, .storageBytes: 2  // always taken together, in one order
        case .printJobs, .printedPages: 3  // as well
        case .generations: 4
        case .motions: 5
        case .printers: 6
        case .sessionsPerUser: 7
        case .requests: 8
        }
    }

    /// Batches that take it in turn, if the tenant has a limit on it.
    func contention(of tenant: TenantID, isLimited: Bool) -> Batch.ContentionKey? {
        isLimited ? Batch.ContentionKey(tenant: tenant, row: contentionRow) : nil
    }
}

/// Whose use a limit counts: the tenant's, or that of each user or each printer.
package enum QuotaScope: String, Sendable, CaseIterable { case tenant, user, printer }

/// How often the used amount turns to zero, by the tenant's own calendar.
package enum QuotaWindow: String, Sendable, CaseIterable { case none, minute, hour, day, month }

/// What happens at the limit.
package enum QuotaAction: String, Sendable, CaseIterable {
    /// Nothing more is given.
    case deny
    /// It is told, and goes on.
    case warn
}

/// Who set a limit: the tenant's plan, or an operator for this tenant alone, which wins.
package enum QuotaSource: String, Sendable { case plan, tenant }
