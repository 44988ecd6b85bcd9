import ChilCore
import ChilStore

/// One row of the audit.
struct AuditEntryRow: ListingRow, Equatable {
    let at: String
    let actor: String
    let action: String
    let target: String?
    let detail: String?
    let requestID: String?
    let address: String?
    let id: Int64
    /// Its place in the chain; nil: not sealed yet.
    let sequence: Int64?
    let recordedAt: String
    let cursor: String

    static let columns: [Column<Self>] = [
        Column("at") { .text($0.at) },
        Column("actor") { .text($0.actor) },
        Column("action") { .text($0.action) },
        Column("target") { .optional($0.target) },
        Column("detail") { .optional($0.detail) },
        Column("sequence") { $0.sequence.map { .number($0) } ?? .none },
        Column("id", listed: false) { .number($0.id) },
        Column("requestId", listed: false) { .optional($0.requestID) },
        Column("address", listed: false) { .optional($0.address) },
        Column("recordedAt", listed: false) { .text($0.recordedAt) },
        Column("cursor", listed: false) { .text($0.cursor) },
    ]
}

extension AuditEntryRow {
    init(_ entry: AuditPage.Row) {
        let row = entry.row
        at = AuditRow.moment(row.at).description
        actor = "\(row.actorKind) \(row.actor)"
        action = row.action
        target = row.target
        detail = row.detail
        requestID = row.requestID
        address = row.address ?? entry.sessionAddress
        id = row.id
        sequence = entry.sequence
        recordedAt = AuditRow.moment(row.recordedAt).description
        cursor = AuditCursor(entry.place).text
    }
}
