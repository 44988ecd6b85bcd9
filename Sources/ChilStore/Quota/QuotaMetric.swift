package import ChilCore
package import ChilDatabase

/// What can be limited.
package enum QuotaMetric: String, Sendable, CaseIterable {
    case users
    case drawings
    case storageBytes = "storage_bytes"
    case printJobs = "print_jobs"

    /// The number of the metric's row among the contended rows of a tenant.
    package var contentionRow: Int64 {
        switch self {
        case .users: 1
        case .drawings, .storageBytes: 2  // always taken together, in one order
        case .printJobs: 3
        }
    }

    /// Batches that take it in turn, if the tenant has a limit on it.
    func contention(of tenant: TenantID, isLimited: Bool) -> Batch.ContentionKey? {
        isLimited ? Batch.ContentionKey(tenant: tenant, row: contentionRow) : nil
    }
}

/// How often the used amount turns to zero.
package enum QuotaWindow: String, Sendable, CaseIterable { case none, minute, hour, day, month }

/// A limit and what is used of it.
package struct QuotaRecord: Sendable {
    package let metric: QuotaMetric
    package let window: QuotaWindow
    package let limit: Int64
    package let used: Int64
    /// `nil` where nothing resets.
    package let resetsAt: Timestamp?

    static let columns =
        "metric, window_kind, hard_limit, case when resets_at <= now() then 0 else used end, resets_at"

    init(_ row: ResultRow) throws(DatabaseError) {
        metric = try row.word(0)
        window = try row.word(1)
        limit = try row.int64(2)
        used = try row.int64(3)
        resetsAt = try row.timestampOrNil(4)
    }
}

/// The limits of a tenant. A metric without a row is unlimited.
package struct QuotaList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL("select \(QuotaRecord.columns) from quota where tenant_id = $1 order by metric")

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaRecord { try QuotaRecord(row) }
}
