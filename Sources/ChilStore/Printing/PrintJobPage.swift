package import ChilCore
package import ChilDatabase

/// An owner's print jobs, newest first, without their histories.
package struct PrintJobPage: TenantStatement {
    package static let countMax = 200

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(PrintJobRecord.wholeColumns) from print_job
         where tenant_id = $1 and owner_id = $2 and job_id < $3 and ($4::text is null or state = $4)
         order by job_id desc limit $5
        """
    )

    package let tenant: TenantID
    let owner: UserID
    let before: PrintJobID
    let state: PrintJobState?
    let count: Int

    /// - Parameters:
    ///   - before: the last of the page before; `nil`: the newest page.
    ///   - state: those alone; `nil`: all.
    ///   - count: one more is answered if there is one.
    package init(of owner: UserID, in tenant: TenantID, before: PrintJobID?, state: PrintJobState?, count: Int) {
        self.tenant = tenant
        self.owner = owner
        self.before = before ?? PrintJobID(rawValue: .max)
        self.state = state
        self.count = min(max(count, 1), Self.countMax)
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(before)
        values.append(state?.rawValue)
        values.append(Int64(count + 1))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrintJobRecord { try PrintJobRecord(whole: row) }
}
