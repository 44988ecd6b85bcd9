package import ChilCore
package import ChilDatabase

/// Begins a job again that ended otherwise than on paper, with its quotas reserved anew (`chil_retry_print_job` in `sql/`).
package struct PrintJobRetry: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case retried
        /// It is under way, or on paper.
        case state(PrintJobState)
        /// The machine is another by now: read it again.
        case changed
        case missing
        /// The drawing is no more.
        case noDrawing
        /// The printer is no more.
        case noPrinter
        case printerDisabled
        case overQuota(QuotaRefusal)
        case noConsent(ConsentLack)
    }

    package static let access = Batch.Access.write
    package static let sql = SQL("select * from chil_retry_print_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")

    package let tenant: TenantID
    let job: PrintJobID
    let change: PrintMachineChange
    let expires: Timestamp
    let actor: PrintJobActor
    let isLimited: Bool

    /// - Parameters:
    ///   - expires: until when it may wait for its printer.
    ///   - isLimited: as in `PrintJobCreate`.
    package init(
        _ job: PrintJobID,
        in tenant: TenantID,
        _ change: PrintMachineChange,
        until expires: Timestamp,
        by actor: PrintJobActor,
        isLimited: Bool
    ) {
        self.tenant = tenant
        self.job = job
        self.change = change
        self.expires = expires
        self.actor = actor
        self.isLimited = isLimited
    }

    package var contention: Batch.ContentionKey? { QuotaMetric.printJobs.contention(of: tenant, isLimited: isLimited) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(actor.owner)
        values.append(job)
        values.append(change.was)
        values.append(change.becomes)
        values.append(expires)
        actor.bind(&values)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        let verdict = row.text(0)
        if let lack = ConsentLack(verdict: verdict) { return .noConsent(lack) }
        return switch verdict {
        case "retried": .retried
        case "state": .state(try row.word(1))
        case "changed": .changed
        case "missing": .missing
        case "drawing": .noDrawing
        case "printer": .noPrinter
        case "disabled": .printerDisabled
        case let word:
            if let refusal = QuotaRefusal(verdict: word) { .overQuota(refusal) } else { throw .unknownWord(word) }
        }
    }
}

/// `PrintJobRetry` of a request with a key (`chil_once_retry_print_job` in `sql/`); sent again, it begins nothing again.
package struct PrintJobRetryOnce: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        "select * from chil_once_retry_print_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"
    )

    let retry: PrintJobRetry
    let mark: OnceMark

    package init(_ retry: PrintJobRetry, _ mark: OnceMark) {
        self.retry = retry
        self.mark = mark
    }

    package var tenant: TenantID { retry.tenant }
    package var contention: Batch.ContentionKey? { retry.contention ?? mark.contention(of: tenant) }

    package func bind(_ values: inout BoundValues) {
        retry.bind(&values)
        mark.bind(&values)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Once<PrintJobRetry.Outcome> {
        if let earlier = try Once<PrintJobRetry.Outcome>(row, subject: 3) { return earlier }
        return .first(try PrintJobRetry.row(row))
    }
}
