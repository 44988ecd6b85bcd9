package import ChilCore
package import ChilDatabase

/// A job that a printer has of somebody who is no more: what it takes to have it cancelled there.
package struct PrintCancellation: Sendable {
    package let printer: PrinterID
    package let kind: PrinterRecord.Kind
    package let printerURI: String
    /// The printer's own name for the job.
    package let remoteJobID: String
    /// Whose printer it really is; `nil`: the address is the printer's.
    package let lender: PrintPlace?
}

/// No row: there is nothing to cancel any more.
package struct PrintCancellationLoad: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select p.uri, c.remote_job_id, p.printer_id, p.kind, p.lender_tenant_id, p.lender_printer_id
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
        PrintCancellation(
            printer: try row.id(2),
            kind: try row.word(3),
            printerURI: row.text(0),
            remoteJobID: row.text(1),
            lender: try PrintPlace(lender: row, from: 4)
        )
    }
}

/// The printer has dropped the job, or it is given up: nothing is kept of it. False: the lease is another's now.
package struct PrintCancellationEnd: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_end_cancellation($1, $2, $3, $4)")

    let item: WorkItem

    package init(_ item: WorkItem) {
        self.item = item
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.id)
        values.append(item.fence)
        values.append(item.subject)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
