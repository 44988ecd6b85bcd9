package import ChilCore
package import ChilDatabase

/// Takes an amount of a metric by itself: what has no row of its own to pay for, such as requests. The answer is the limit that refused;
/// `nil`: taken.
package struct QuotaTake: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_take($1, $2, $3, $4, $5, $6)")

    package let tenant: TenantID
    let metric: QuotaMetric
    let amount: Int64
    let user: UserID?
    let printer: PrinterID?
    let now: Timestamp

    /// - Parameters:
    ///   - user: whose limits it counts for too; `nil`: nobody's.
    ///   - printer: the same.
    package init(
        _ amount: Int64,
        of metric: QuotaMetric,
        in tenant: TenantID,
        by user: UserID?,
        on printer: PrinterID? = nil,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.metric = metric
        self.amount = amount
        self.user = user
        self.printer = printer
        self.now = now
    }

    package var contention: Batch.ContentionKey? { metric.contention(of: tenant, isLimited: true) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(metric.rawValue)
        values.append(user)
        values.append(printer)
        values.append(amount)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaRefusal? {
        guard let text = row.textOrNil(0) else { return nil }
        guard let refusal = QuotaRefusal(text: text) else { throw .unknownWord(text) }
        return refusal
    }
}
