package import ChilCore
package import ChilDatabase

/// The words of a print job's state. What may follow what is decided by the job machine.
package enum PrintJobState: String, Sendable, CaseIterable {
    case queued, submitting, sent, printing, blocked, completed, failed, canceling, canceled, expired, outcomeUnknown
}

/// A print job as its owner sees it.
package struct PrintJobRecord: Sendable {
    package struct Event: Sendable, Equatable {
        package let state: PrintJobState
        package let reason: String?
        package let at: Timestamp
    }

    package let id: PrintJobID
    package let drawing: DrawingID
    package let printer: PrinterID
    package let state: PrintJobState
    package let reason: String?
    package let scale: PrintJobCreate.Scale
    package let copies: Int32
    package let createdAt: Timestamp
    package let updatedAt: Timestamp
    package let sheets: PrintJobSheets
    /// From the first; empty where only the job was asked for.
    package internal(set) var history: [Event] = []
    /// The job machine's own text; `nil` before its first step.
    package internal(set) var machine: String?
    package internal(set) var expiresAt: Timestamp?
    /// Since when it is to be canceled.
    package internal(set) var cancelWantedAt: Timestamp?

    static let columns = """
        job_id, drawing_id, printer_id, state, reason, scale, copies, created_at, updated_at,
        array_to_string(drawing_ids, ' '), paper_wanted, paper, paper_substituted, page_count
        """
    /// With what `init(whole:)` reads.
    static let wholeColumns = columns + ", machine, expires_at, wanted_at"

    /// - Parameter sheets: the first column of those.
    init(_ row: ResultRow, sheets first: Int = 9) throws(DatabaseError) {
        id = try row.id(0)
        drawing = try row.id(1)
        printer = try row.id(2)
        state = try row.word(3)
        reason = row.textOrNil(4)
        scale = try row.word(5)
        copies = try row.int32(6)
        createdAt = try row.timestamp(7)
        updatedAt = try row.timestamp(8)
        sheets = try PrintJobSheets(row, from: first, drawing)
    }

    init(whole row: ResultRow) throws(DatabaseError) {
        try self.init(row)
        machine = row.textOrNil(14)
        expiresAt = try row.timestampOrNil(15)
        cancelWantedAt = try row.timestampOrNil(16)
    }
}

/// One job of its owner, with its history. After `.outcomeUnknown` it also tells whether a create happened.
package struct PrintJobOne: Sendable {
    let tenant: TenantID
    let owner: UserID
    let job: PrintJobID

    package init(_ job: PrintJobID, of owner: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.owner = owner
        self.job = job
    }

    /// `nil`: there is none, or it is another's.
    package func run(on database: some Database) async throws(DatabaseError) -> PrintJobRecord? {
        var batch = Batch(.read, of: tenant)
        let slot = batch.add(PrintJobRow(one: self))
        let events = batch.add(PrintJobEvents(tenant: tenant, job: job))
        let result = try await database.run(batch)
        guard var record = try result.first(slot) else { return nil }
        record.history = try result.rows(events)
        return record
    }
}

private struct PrintJobRow: Statement {
    static let sql = SQL(
        "select \(PrintJobRecord.wholeColumns) from print_job where tenant_id = $1 and owner_id = $2 and job_id = $3"
    )

    let one: PrintJobOne

    func bind(_ values: inout BoundValues) {
        values.append(one.tenant)
        values.append(one.owner)
        values.append(one.job)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> PrintJobRecord { try PrintJobRecord(whole: row) }
}

struct PrintJobEvents: Statement {
    static let sql = SQL(
        "select state, reason, at from print_job_event where tenant_id = $1 and job_id = $2 order by sequence"
    )

    let tenant: TenantID
    let job: PrintJobID

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(job)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> PrintJobRecord.Event {
        PrintJobRecord.Event(state: try row.word(0), reason: row.textOrNil(1), at: try row.timestamp(2))
    }
}
