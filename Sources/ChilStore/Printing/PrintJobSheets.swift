package import ChilCore
package import ChilDatabase

/// What a job prints, and on what.
package struct PrintJobSheets: Sendable, Equatable {
    /// A page each, in order; some may have been deleted since.
    package let drawings: [DrawingID]
    /// What the person asked for, by the contract's name.
    package let paperWanted: String?
    /// What the pages were drawn for; `nil`: they were not yet.
    package let paper: String?
    /// That is another one than was wanted.
    package let isSubstituted: Bool
    /// Copies included.
    package let pageCount: Int32

    init(_ row: ResultRow, from first: Int, _ drawing: DrawingID) throws(DatabaseError) {
        let book = row.textOrNil(first).map { $0.split(separator: " ").compactMap { Int64($0) } }
        drawings = book?.map { DrawingID(rawValue: $0) } ?? [drawing]
        paperWanted = row.textOrNil(first + 1)
        paper = row.textOrNil(first + 2)
        isSubstituted = try row.bool(first + 3)
        pageCount = try row.int32(first + 4)
    }
}

/// Notes what the pages of a job are drawn for, until the printer has them: then it stays.
///
/// Without the lease's fence: whoever has lost the lease has asked the same printer.
package struct PrintJobSheetsNote: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update print_job set paper = $3, paper_substituted = $4, page_count = $5
         where tenant_id = $1 and job_id = $2 and state in ('queued', 'submitting')
        returning job_id
        """
    )

    package let tenant: TenantID
    let job: PrintJobID
    let paper: String
    let isSubstituted: Bool
    let pageCount: Int32

    package init(
        _ job: PrintJobID,
        in tenant: TenantID,
        paper: String,
        isSubstituted: Bool,
        pageCount: Int32
    ) {
        self.tenant = tenant
        self.job = job
        self.paper = paper
        self.isSubstituted = isSubstituted
        self.pageCount = pageCount
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(job)
        values.append(paper)
        values.append(isSubstituted)
        values.append(int32: pageCount)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrintJobID { try row.id(0) }
}
