internal import ChilCore
internal import ChilDatabase

/// Whether somebody has said that something about a print has changed, and nobody has looked since. A statement by itself: the queue is in
/// one place, whatever becomes of the tables of tenants.
struct PrintHint: TenantStatement {
    static let access = Batch.Access.read
    static let sql = SQL("select hinted_at is not null from work where tenant_id = $1 and work_id = $2")

    let tenant: TenantID
    private let job: PrintJobID

    init(_ job: PrintJobID, in tenant: TenantID) {
        self.tenant = tenant
        self.job = job
    }

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(job)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
