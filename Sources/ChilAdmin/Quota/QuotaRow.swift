import ChilCore
import ChilStore

/// A limit of a tenant and what is used of it.
struct QuotaRow: ListingRow, Equatable {
    let metric: String
    let scope: String
    let window: String
    /// Nothing where each user or printer has a count of its own, and none was asked for.
    let used: Int64?
    let limit: Int64
    let softLimit: Int64?
    let action: String
    /// The plan, or this tenant alone.
    let source: String
    /// RFC 3339, UTC; nothing where use never begins anew.
    let resetsAt: String?

    static let columns: [Column<Self>] = [
        Column("metric") { .text($0.metric) },
        Column("scope") { .text($0.scope) },
        Column("window") { .text($0.window) },
        Column("used") { $0.used.map { .number($0) } ?? .none },
        Column("limit") { .number($0.limit) },
        Column("softLimit", listed: false) { $0.softLimit.map { .number($0) } ?? .none },
        Column("action") { .text($0.action) },
        Column("source") { .text($0.source) },
        Column("resetsAt") { .optional($0.resetsAt) },
    ]
}

extension QuotaRow {
    init(_ record: QuotaRecord) {
        self.init(
            metric: record.key.metric.rawValue,
            scope: record.key.scope.rawValue,
            window: record.key.window.rawValue,
            used: record.used,
            limit: record.terms.limit,
            softLimit: record.terms.softLimit,
            action: record.terms.action.rawValue,
            source: record.source.rawValue,
            resetsAt: record.resetsAt?.description
        )
    }
}
