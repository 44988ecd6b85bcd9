import ChilCore
import ChilStore

/// What the commands about requests for erasure need.
protocol ErasureServices {
    func openErasure(of user: UserNumber, in slug: Slug, reference: Remark?) async throws(AdminFault) -> ErasureRow
    func erasures(of slug: Slug, includingClosed: Bool) async throws(AdminFault) -> [ErasureRow]
    /// Deletes the account; its receipt is shown this once.
    func doErasure(_ request: ErasureNumber, of slug: Slug) async throws(AdminFault) -> ErasureRow
    func refuseErasure(_ request: ErasureNumber, of slug: Slug, because reason: Remark) async throws(AdminFault)
        -> ErasureRow
}

/// A request's number, as `erasure list` shows it.
struct ErasureNumber: ArgumentValue, Equatable, Sendable {
    static let expectation = "a request's number, as `chiladmin erasure list` shows it"

    let id: ErasureRequestID

    init?(argument: String) {
        guard let number = Int64(argument: argument), (1..<1 << 53).contains(number) else { return nil }
        id = ErasureRequestID(rawValue: number)
    }
}

/// A request for erasure.
struct ErasureRow: ListingRow, Equatable {
    let id: Int64
    let user: Int64
    let state: String
    let isOverdue: Bool
    /// RFC 3339, UTC, as the next two.
    let openedAt: String
    let dueAt: String
    let closedAt: String?
    let reference: String?
    let reason: String?
    /// Of the deletion, once.
    var receipt: String?

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("user") { .number($0.user) },
        Column("state") { .text($0.state) },
        Column("overdue") { .flag($0.isOverdue) },
        Column("dueAt") { .text($0.dueAt) },
        Column("reference") { .optional($0.reference) },
        Column("openedAt", listed: false) { .text($0.openedAt) },
        Column("closedAt", listed: false) { .optional($0.closedAt) },
        Column("reason", listed: false) { .optional($0.reason) },
        Column("receipt", listed: false) { .optional($0.receipt) },
    ]
}

extension ErasureRow {
    init(_ request: ErasureRequest, at now: Timestamp, receipt: String? = nil) {
        self.init(
            id: request.id.rawValue,
            user: request.user.rawValue,
            state: request.state.rawValue,
            isOverdue: request.isOverdue(at: now),
            openedAt: request.openedAt.description,
            dueAt: request.dueAt.description,
            closedAt: request.closedAt?.description,
            reference: request.reference,
            reason: request.reason,
            receipt: receipt
        )
    }
}
