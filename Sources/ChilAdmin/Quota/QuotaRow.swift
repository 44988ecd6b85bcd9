import ChilCore
import ChilStore

/// A limit of a tenant and what is used of it.
struct QuotaRow: ListingRow, Equatable {
    let metric: String
    let window: String
    let used: Int64
    let limit: Int64
    /// RFC 3339, UTC; nothing where use never begins anew.
    let resetsAt: String?

    static let columns: [Column<Self>] = [
        Column("metric") { .text($0.metric) },
        Column("window") { .text($0.window) },
        Column("used") { .number($0.used) },
        Column("limit") { .number($0.limit) },
        Column("resetsAt") { .optional($0.resetsAt) },
    ]
}

extension QuotaRow {
    init(_ record: QuotaRecord) {
        self.init(
            metric: record.metric.rawValue,
            window: record.window.rawValue,
            used: record.used,
            limit: record.limit,
            resetsAt: record.resetsAt?.description
        )
    }
}
