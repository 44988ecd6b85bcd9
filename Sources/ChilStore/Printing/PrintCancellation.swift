package import ChilCore
package import ChilDatabase

/// A job that a printer has of somebody who is no more: what it takes to have it cancelled there.
package struct PrintCancellation: Sendable {
    package let printerURI: String
    /// The printer's own number for the job.
    package let remoteJobID: Int32
}

/// No row: there is nothing to cancel any more.
package struct PrintCancellationLoad: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select p.uri, c.remote_job_id
          from print_cancellation c join printer p on p.tenant_id = $1 and p.printer_id = c.printer_id
         where c.tenant_id = $1 and c.job_id = $2
        """
    )

    let item: WorkItem

    package init(_ item: WorkItem) {
        self.item = item
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrintCancellation {
        PrintCancellation(printerURI: row.text(0), remoteJobID: try row.int32(1))
    }
}

/// The printer has dropped the job, or it is given up: nothing is kept of it. False: the lease is another's now.
package struct PrintCancellationEnd: Sendable {
    let item: WorkItem

    package init(_ item: WorkItem) {
        self.item = item
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: item.tenant)
        let work = batch.add(WorkFinish(item))
        batch.add(PrintCancellationDelete(item: item))
        return try await database.run(batch).touched(work) == 1
    }
}

private struct PrintCancellationDelete: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from print_cancellation
         where tenant_id = $1 and job_id = $2 and not exists (select from work where tenant_id = $1 and work_id = $3)
        """
    )

    let item: WorkItem

    func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
        values.append(item.id)
    }
}
