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
    package let printer: PrinterRecord
    /// Of a book the first that is still there. `nil`: all were deleted.
    package let image: Image?
}

package struct PrintJobLoad: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select j.job_id, j.drawing_id, j.printer_id, j.state, j.reason, j.scale, j.copies, j.created_at, j.updated_at,
               j.owner_id, j.remote_job_id, j.remote_job_uri,
               p.printer_id, p.name, p.kind, p.uri, p.is_default, p.state, p.disclosed_to,
               d.image_hash, d.media_type, d.byte_count, d.width, d.height, d.title, j.machine,
               array_to_string(j.drawing_ids, ' '), j.paper_wanted, j.paper, j.paper_substituted, j.page_count
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
        return PrintJobTask(
            job: try PrintJobRecord(row, sheets: 26),
            owner: try row.id(9),
            remoteJobID: row.textOrNil(10),
            remoteJobURI: row.textOrNil(11),
            machine: row.textOrNil(25),
            printer: try PrinterRecord(row, from: 12),
            image: image
        )
    }
}

/// One step of a job by the worker that holds its lease: new state, history, remote job, and when to look again.
/// False: the lease is another's now, nothing was written.
package struct PrintJobAdvance: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        "select chil_advance_print_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
    )

    let item: WorkItem
    let state: PrintJobState
    let reason: String?
    let pages: Int32
    let remoteJobID: String?
    let remoteJobURI: String?
    let machine: String
    let again: Duration?
    let now: Timestamp

    /// - Parameters:
    ///   - pages: that came out, as far as the printer has said; what is settled when the job ends.
    ///   - remoteJobID: the printer's name for the job; `nil` leaves what is stored.
    ///   - machine: the job machine's own text, from which the next holder goes on.
    ///   - again: when the job is due next, from now; `nil`: never, its work is done.
    package init(
        _ item: WorkItem,
        to state: PrintJobState,
        reason: String?,
        pages: Int32 = 0,
        remoteJobID: String? = nil,
        remoteJobURI: String? = nil,
        machine: String,
        again: Duration?,
        at now: Timestamp
    ) {
        self.item = item
        self.state = state
        self.reason = reason
        self.pages = pages
        self.remoteJobID = remoteJobID
        self.remoteJobURI = remoteJobURI
        self.machine = machine
        self.again = again
        self.now = now
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.id)
        values.append(item.fence)
        values.append(item.subject)
        values.append(state.rawValue)
        values.append(reason)
        values.append(int32: pages)
        values.append(remoteJobID)
        values.append(remoteJobURI)
        values.append(machine)
        values.append(again.map { $0.wholeMicroseconds / 1_000 })
        values.append(told?.rawValue)
        values.append(now)
    }

    private var told: WebhookType? {
        switch state {
        case .completed: .printCompleted
        case .blocked: .printBlocked
        case .failed, .expired, .outcomeUnknown: .printFailed
        case .queued, .submitting, .sent, .printing, .canceling, .canceled: nil
        }
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
