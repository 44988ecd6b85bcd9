package import ChilCore
package import ChilDatabase

/// Accepts a print job: job, first event, work and audit in one batch (`chil_create_print_job` in `sql/`).
package struct PrintJobCreate: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case created(PrinterID)
        /// No such drawing of this owner.
        case noDrawing
        /// The drawing has no image yet.
        case noImage
        /// It is a GIF.
        case moving
        /// No such printer, or the tenant has no default.
        case noPrinter
        case printerDisabled
        /// The limit that refused; nothing was taken.
        case overQuota(QuotaRefusal)
        /// The printer is a party's, and the guardian has not agreed to that.
        case noConsent(ConsentLack)
    }

    package enum Scale: String, Sendable, CaseIterable {
        case large = "LARGE"
        case medium = "MEDIUM"
        case small = "SMALL"
    }

    package static let copiesMax: Int32 = 99
    /// How long a print waits for its printer unless it is said otherwise.
    package static let lifetime = Duration.seconds(3 * 86_400)
    package static let lifetimeSeconds: ClosedRange<Int64> = 60...7 * 86_400

    package static let access = Batch.Access.write
    package static let sql = SQL(
        entering: "select * from chil_create_print_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    )

    package let tenant: TenantID
    let job: PrintJobID
    let owner: UserID
    let drawing: DrawingID
    let printer: PrinterID?
    let scale: Scale
    let copies: Int32
    let caller: Caller
    let expires: Timestamp
    let now: Timestamp
    let isLimited: Bool

    /// - Parameters:
    ///   - printer: `nil` for the tenant's default.
    ///   - copies: 1 to `copiesMax`; each is a page for the quotas, which are reserved until the job ends.
    ///   - expires: until when it may wait for its printer; `nil`: as long as usual.
    ///   - isLimited: whether the tenant has a limit on jobs or pages: such batches go in turn.
    package init(
        _ job: PrintJobID,
        of drawing: DrawingID,
        by owner: UserID,
        in tenant: TenantID,
        on printer: PrinterID?,
        scale: Scale,
        copies: Int32,
        caller: Caller,
        until expires: Timestamp? = nil,
        at now: Timestamp,
        isLimited: Bool
    ) {
        self.tenant = tenant
        self.job = job
        self.owner = owner
        self.drawing = drawing
        self.printer = printer
        self.scale = scale
        self.copies = copies
        self.caller = caller
        self.expires = expires ?? now + Self.lifetime
        self.now = now
        self.isLimited = isLimited
    }

    package var contention: Batch.ContentionKey? { QuotaMetric.printJobs.contention(of: tenant, isLimited: isLimited) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(job)
        values.append(drawing)
        values.append(printer)
        values.append(scale.rawValue)
        values.append(int32: copies)
        values.append(caller.requestID)
        // A user's audit rows outlive the account: they have no address.
        values.appendNull()
        values.append(expires)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        let verdict = row.text(0)
        if let lack = ConsentLack(verdict: verdict) { return .noConsent(lack) }
        return switch verdict {
        case "created": .created(try row.id(1))
        case "drawing": .noDrawing
        case "image": .noImage
        case "moving": .moving
        case "printer": .noPrinter
        case "disabled": .printerDisabled
        case let word:
            if let refusal = QuotaRefusal(verdict: word) { .overQuota(refusal) } else { throw .unknownWord(word) }
        }
    }
}
