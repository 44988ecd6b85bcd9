import ChilCore
import ChilStore

/// A tenant as the operator sees it.
struct TenantRow: ListingRow, Equatable {
    let id: Int64
    let slug: String
    let name: String
    let state: TenantRecord.State
    /// Whether the first app's five calls are served without a token.
    let isGuestServed: Bool
    let timeZone: String
    /// RFC 3339, UTC.
    let createdAt: String

    static let columns: [Column<Self>] = [
        Column("slug") { .text($0.slug) },
        Column("name") { .text($0.name) },
        Column("state") { .text($0.state.rawValue) },
        Column("guest") { .flag($0.isGuestServed) },
        Column("timeZone") { .text($0.timeZone) },
        Column("createdAt") { .text($0.createdAt) },
        Column("id", listed: false) { .number($0.id) },
    ]
}

extension TenantRow {
    init(_ record: TenantRecord) {
        self.init(
            id: record.id.rawValue,
            slug: record.slug,
            name: record.name,
            state: record.state,
            isGuestServed: record.guestUser != nil,
            timeZone: record.timeZone,
            createdAt: record.createdAt.description
        )
    }
}
