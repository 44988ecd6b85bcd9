import ChilCore
import ChilPrint
import ChilStore

/// A print in a list.
struct JobRow: ListingRow, Equatable {
    let id: Int64
    let state: String
    let reason: String?
    let printer: String
    let user: Int64
    let drawing: Int64
    let copies: Int32
    let createdAt: String
    let updatedAt: String

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("state") { .text($0.state) },
        Column("reason") { .optional($0.reason) },
        Column("printer") { .text($0.printer) },
        Column("user") { .number($0.user) },
        Column("drawing", listed: false) { .number($0.drawing) },
        Column("copies") { .number(Int64($0.copies)) },
        Column("createdAt") { .text($0.createdAt) },
        Column("updatedAt", listed: false) { .text($0.updatedAt) },
    ]
}

/// A print with all that is known of it.
struct JobDetailRow: ListingRow, Equatable {
    let job: JobRow
    let attempts: Int64
    let pagesPrinted: Int64
    let remoteJob: String?
    let expiresAt: String?
    let cancelRequestedAt: String?
    let history: [String]

    static let columns: [Column<Self>] =
        JobRow.columns.map { column in Column(column.key) { column.value($0.job) } } + [
            Column("attempts") { .number($0.attempts) },
            Column("pagesPrinted") { .number($0.pagesPrinted) },
            Column("remoteJob") { .optional($0.remoteJob) },
            Column("expiresAt") { .optional($0.expiresAt) },
            Column("cancelRequestedAt") { .optional($0.cancelRequestedAt) },
            Column("history") { .list($0.history) },
        ]
}

/// One change of a print.
struct JobEventRow: ListingRow, Equatable {
    let at: String
    let state: String
    let reason: String?

    static let columns: [Column<Self>] = [
        Column("at") { .text($0.at) },
        Column("state") { .text($0.state) },
        Column("reason") { .optional($0.reason) },
    ]
}

extension JobRow {
    init(_ job: TenantPrintJob, printer: String?) {
        self.init(
            id: job.job.id.rawValue,
            state: job.job.state.rawValue,
            reason: job.job.reason,
            printer: printer ?? "\(job.job.printer.rawValue)",
            user: job.owner.rawValue,
            drawing: job.job.drawing.rawValue,
            copies: job.job.copies,
            createdAt: job.job.createdAt.description,
            updatedAt: job.job.updatedAt.description
        )
    }
}

extension JobDetailRow {
    init(_ job: TenantPrintJob, printer: String?) {
        let machine = job.job.machine.flatMap { PrintJobMachine(text: $0) }
        self.init(
            job: JobRow(job, printer: printer),
            attempts: Int64(machine?.attempt ?? 0),
            pagesPrinted: Int64(machine?.pagesPrinted ?? 0),
            remoteJob: job.remoteJobID,
            expiresAt: job.job.expiresAt?.description,
            cancelRequestedAt: job.job.cancelWantedAt?.description,
            history: job.job.history.map(JobEventRow.init).map {
                "\($0.at) \($0.state)" + ($0.reason.map { " (\($0))" } ?? "")
            }
        )
    }
}

extension JobEventRow {
    init(_ event: PrintJobRecord.Event) {
        self.init(at: event.at.description, state: event.state.rawValue, reason: event.reason)
    }
}
