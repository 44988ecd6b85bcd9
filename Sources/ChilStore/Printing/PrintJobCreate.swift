package import ChilCore
package import ChilDatabase

/// Accepts a print job: job, first event, work and audit in one batch (`chil_create_print_job` in `sql/`).
package struct PrintJobCreate: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case created(PrinterID)
        /// One of the drawings is none of this owner's.
        case noDrawing
        /// The drawing at this place has no image yet.
        case noImage(Int)
        /// It is a GIF.
        case moving(Int)
        /// Together their images have too many bytes.
        case tooLarge
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
    package static let drawingsMax = 20
    /// Of all drawings and copies.
    package static let pagesMax = 200
    /// How long a print waits for its printer unless it is said otherwise.
    package static let lifetime = Duration.seconds(3 * 86_400)
    package static let lifetimeSeconds: ClosedRange<Int64> = 60...7 * 86_400

    package static let access = Batch.Access.write
    package static let sql = SQL(
        entering: "select * from chil_create_print_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
    )

    package let tenant: TenantID
    let job: PrintJobID
    let owner: UserID
    let drawings: [DrawingID]
    let printer: PrinterID?
    let scale: Scale
    let copies: Int32
    let paper: String?
    let caller: Caller
    let expires: Timestamp
    let now: Timestamp
    let isLimited: Bool

    /// - Parameters:
    ///   - drawings: 1 to `drawingsMax`, a page each, in this order.
    ///   - printer: `nil` for the tenant's default.
    ///   - copies: 1 to `copiesMax`, and at most `pagesMax` pages in all, which are reserved until the job ends.
    ///   - paper: the name of what is wished for.
    ///   - expires: until when it may wait for its printer; `nil`: as long as usual.
    ///   - isLimited: whether the tenant has a limit on jobs or pages: such batches go in turn.
    package init(
        _ job: PrintJobID,
        of drawings: [DrawingID],
        by owner: UserID,
        in tenant: TenantID,
        on printer: PrinterID?,
        scale: Scale,
        copies: Int32,
        paper: String? = nil,
        caller: Caller,
        until expires: Timestamp? = nil,
        at now: Timestamp,
        isLimited: Bool
    ) {
        self.tenant = tenant
        self.job = job
        self.owner = owner
        self.drawings = drawings
        self.printer = printer
        self.scale = scale
        self.copies = copies
        self.paper = paper
        self.caller = caller
        self.expires = expires ?? now + Self.lifetime
        self.now = now
        self.isLimited = isLimited
    }

    /// Of a single drawing.
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
        self.init(
            job,
            of: [drawing],
            by: owner,
            in: tenant,
            on: printer,
            scale: scale,
            copies: copies,
            caller: caller,
            until: expires,
            at: now,
            isLimited: isLimited
        )
    }

    package var contention: Batch.ContentionKey? { QuotaMetric.printJobs.contention(of: tenant, isLimited: isLimited) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(job)
        values.append(int64s: drawings.map(\.rawValue))
        values.append(printer)
        values.append(scale.rawValue)
        values.append(int32: copies)
        values.append(paper)
        values.append(caller.requestID)
        // A user's audit rows outlive the account: they have no address.
        values.appendNull()
        values.append(expires)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        let verdict = row.text(0)
        if let lack = ConsentLack(verdict: verdict) { return .noConsent(lack) }
        let words = verdict.split(separator: " ")
        if words.count == 2, let place = Int(words[1]) {
            if words[0] == "image" { return .noImage(place) }
            if words[0] == "moving" { return .moving(place) }
        }
        return switch verdict {
        case "created": .created(try row.id(1))
        case "drawing": .noDrawing
        case "large": .tooLarge
        case "printer": .noPrinter
        case "disabled": .printerDisabled
        case let word:
            if let refusal = QuotaRefusal(verdict: word) { .overQuota(refusal) } else { throw .unknownWord(word) }
        }
    }
}
