package import ChilCore
package import ChilDatabase

/// All that a worker needs to go on with a job: the job, its printer, and the drawing's image if it is still there.
package struct PrintJobTask: Sendable {
    package struct Image: Sendable {
        package let hash: [UInt8]
        package let mediaType: String
        package let byteCount: Int64
        package let width: Int32
        package let height: Int32
        package let title: String?
    }

    package let job: PrintJobRecord
    package let owner: UserID
    package let remoteJobID: String?
    package let remoteJobURI: String?
    /// The job machine's own text; `nil` before its first step.
    package let machine: String?
    /// The real printer's row, the lender's if it is lent; its state is the stricter one of both.
    package internal(set) var printer: PrinterRecord
    /// Where that row is, and whose turn is counted there.
    package internal(set) var place: PrintPlace
    /// The printer as the job names it.
    package let ownPrinter: PrintPlace
    /// Of a book the first that is still there. `nil`: all were deleted.
    package let image: Image?
    /// Until when it may wait for its printer.
    package let expiresAt: Timestamp?
    /// Somebody wants it canceled.
    package let isCancelWanted: Bool
    /// The printer's service has said that something has changed, and nobody has looked since.
    package private(set) var isHinted = false

    /// Loads it; what a borrowed printer is at its lender's is a row of another tenant, so another batch. `nil`: there is no such job.
    package static func load(_ job: PrintJobID, in tenant: TenantID, from database: some Database)
        async throws(DatabaseError)
        -> PrintJobTask?
    {
        var batch = Batch(.read, of: tenant)
        let (loaded, hint) = (batch.add(PrintJobLoad(job, in: tenant)), batch.add(PrintHint(job, in: tenant)))
        let result = try await database.run(batch)
        guard var task = try result.first(loaded) else { return nil }
        task.isHinted = try result.first(hint) == true
        guard task.place != task.ownPrinter else { return task }
        let own = task.printer
        let lent = try await PrinterOne(task.place).first(from: database)
        task.printer = lent.map { own.standing(for: $0) } ?? own.removed
        return task
    }
}

package struct PrintJobLoad: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select j.job_id, j.drawing_id, j.printer_id, j.state, j.reason, j.scale, j.copies, j.created_at, j.updated_at,
               j.owner_id, j.remote_job_id, j.remote_job_uri,
               p.printer_id, p.name, p.kind, p.uri, p.is_default, p.state, p.disclosed_to,
               d.image_hash, d.media_type, d.byte_count, d.width, d.height, d.title, j.machine,
               array_to_string(j.drawing_ids, ' '), j.paper_wanted, j.paper, j.paper_substituted, j.page_count,
               p.lender_tenant_id, p.lender_printer_id, j.expires_at, j.wanted_at, j.tenant_id
          from print_job j
          join printer p on p.tenant_id = $1 and p.printer_id = j.printer_id
          left join drawing d on d.tenant_id = $1 and d.owner_id = j.owner_id
                              and d.drawing_id = (select n.drawing_id
                                                    from unnest(coalesce(j.drawing_ids, array[j.drawing_id]))
                                                         with ordinality n (drawing_id, place)
                                                    join drawing b on b.tenant_id = $1 and b.owner_id = j.owner_id
                                                                   and b.drawing_id = n.drawing_id
                                                   order by n.place limit 1)
         where j.tenant_id = $1 and j.job_id = $2
        """
    )

    package let tenant: TenantID
    let job: PrintJobID

    package init(_ job: PrintJobID, in tenant: TenantID) {
        self.tenant = tenant
        self.job = job
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(job)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrintJobTask {
        var image: PrintJobTask.Image?
        if let hash = row.bytesOrNil(19) {
            image = PrintJobTask.Image(
                hash: hash,
                mediaType: row.text(20),
                byteCount: try row.int64(21),
                width: try row.int32(22),
                height: try row.int32(23),
                title: row.textOrNil(24)
            )
        }
        let job = try PrintJobRecord(row, sheets: 26)
        let own = PrintPlace(tenant: TenantID(rawValue: try row.int64(35)), printer: job.printer)
        return PrintJobTask(
            job: job,
            owner: try row.id(9),
            remoteJobID: row.textOrNil(10),
            remoteJobURI: row.textOrNil(11),
            machine: row.textOrNil(25),
            printer: try PrinterRecord(row, from: 12),
            place: try PrintPlace(lender: row, from: 31) ?? own,
            ownPrinter: own,
            image: image,
            expiresAt: try row.timestampOrNil(33),
            isCancelWanted: try row.timestampOrNil(34) != nil
        )
    }
}
