package import ChilCore
package import ChilDatabase

/// A print job as an operator sees it.
package struct TenantPrintJob: Sendable {
    package internal(set) var job: PrintJobRecord
    package let owner: UserID
    package let remoteJobID: String?

    static let columns = PrintJobRecord.wholeColumns + ", owner_id, remote_job_id"

    init(_ row: ResultRow) throws(DatabaseError) {
        job = try PrintJobRecord(whole: row)
        owner = try row.id(17)
        remoteJobID = row.textOrNil(18)
    }
}

/// A tenant's print jobs, newest first.
package struct TenantPrintJobs: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(TenantPrintJob.columns) from print_job
         where tenant_id = $1 and ($2::text is null or state = $2) and ($3::bigint is null or printer_id = $3)
         order by tenant_id, job_id desc limit $4
        """
    )

    package let tenant: TenantID
    let state: PrintJobState?
    let printer: PrinterID?
    let count: Int

    package init(of tenant: TenantID, in state: PrintJobState?, at printer: PrinterID?, count: Int) {
        self.tenant = tenant
        self.state = state
        self.printer = printer
        self.count = count
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(state?.rawValue)
        values.append(printer)
        values.append(Int64(count))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> TenantPrintJob { try TenantPrintJob(row) }
}

/// One of them with its history, whoever's it is.
package struct TenantPrintJobOne: Sendable {
    let job: PrintJobID
    let tenant: TenantID

    package init(_ job: PrintJobID, of tenant: TenantID) {
        self.job = job
        self.tenant = tenant
    }

    /// `nil`: there is none.
    package func run(on database: some Database) async throws(DatabaseError) -> TenantPrintJob? {
        var batch = Batch(.read, of: tenant)
        let slot = batch.add(TenantPrintJobRow(one: self))
        let events = batch.add(PrintJobEvents(tenant: tenant, job: job))
        let result = try await database.run(batch)
        guard var found = try result.first(slot) else { return nil }
        found.job.history = try result.rows(events)
        return found
    }
}

private struct TenantPrintJobRow: Statement {
    static let sql = SQL("select \(TenantPrintJob.columns) from print_job where tenant_id = $1 and job_id = $2")

    let one: TenantPrintJobOne

    func bind(_ values: inout BoundValues) {
        values.append(one.tenant)
        values.append(one.job)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> TenantPrintJob { try TenantPrintJob(row) }
}

/// The jobs at a printer that have not ended, the oldest first.
package struct UnfinishedPrintJobs: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select job_id from print_job
         where tenant_id = $1 and printer_id = $2
           and state not in ('completed', 'failed', 'canceled', 'expired', 'outcomeUnknown')
         order by tenant_id, job_id
        """
    )

    let place: PrintPlace

    /// - Parameter place: the printer as its jobs name it.
    package init(at place: PrintPlace) {
        self.place = place
    }

    package var tenant: TenantID { place.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(place.tenant)
        values.append(place.printer)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrintJobID { try row.id(0) }
}

/// What of a tenant's prints is due in the queue, and since when the oldest of it: how far workers are behind.
package struct PrintQueueLag: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select count(*), min(run_at) from work where tenant_id = $1 and kind = 'print' and run_at <= now()
        """
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> (due: Int64, oldest: Timestamp?) {
        (try row.int64(0), try row.timestampOrNil(1))
    }
}
