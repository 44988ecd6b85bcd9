package import ChilCore
package import ChilDatabase

/// The drawing that a job printed on a page, if it is this person's and still there. Whoever printed a page of another person's finds nothing.
package struct ScanSource: TenantStatement {
    package struct Row: Hashable, Sendable {
        package let drawing: DrawingID
        package let title: String?
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select d.drawing_id, d.title
          from print_job j
          join drawing d on d.tenant_id = $1 and d.owner_id = j.owner_id
                        and d.drawing_id = (coalesce(j.drawing_ids, array[j.drawing_id]))[$4]
         where j.tenant_id = $1 and j.job_id = $2 and j.owner_id = $3
        """
    )

    package let tenant: TenantID
    let owner: UserID
    let job: PrintJobID
    let page: Int

    /// - Parameter page: from 0, as marks count them.
    package init(of page: Int, of job: PrintJobID, for owner: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.owner = owner
        self.job = job
        self.page = page
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(job)
        values.append(owner)
        values.append(int32: Int32(page) + 1)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(drawing: try row.id(0), title: row.textOrNil(1))
    }
}
