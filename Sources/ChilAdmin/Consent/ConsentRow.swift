import ChilCore
import ChilStore

/// What a guardian said of one scope.
struct ConsentRow: ListingRow, Equatable {
    let id: Int64
    let scope: String
    let isGiven: Bool
    let method: String?
    let notice: Int64?
    let guardian: String?
    /// RFC 3339, UTC.
    let at: String

    static let columns: [Column<Self>] = [
        Column("at") { .text($0.at) },
        Column("scope") { .text($0.scope) },
        Column("given") { .flag($0.isGiven) },
        Column("method") { .optional($0.method) },
        Column("notice") { $0.notice.map { .number($0) } ?? .none },
        Column("guardian") { .optional($0.guardian) },
        Column("id", listed: false) { .number($0.id) },
    ]
}

extension ConsentRow {
    init(_ record: ChilStore.ConsentRecord) {
        self.init(
            id: record.id.rawValue,
            scope: record.scope.description,
            isGiven: record.isGiven,
            method: record.method?.rawValue,
            notice: record.notice.map { Int64($0) },
            guardian: record.guardian,
            at: record.at.description
        )
    }
}
