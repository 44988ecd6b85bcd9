import ChilCore
import ChilStore

/// A session as the operator sees it. Its tokens are nowhere to be seen.
struct SessionRow: ListingRow, Equatable {
    let id: Int64
    let user: Int64
    let device: String?
    /// RFC 3339, UTC, as all its times.
    let createdAt: String
    let lastUsedAt: String
    /// When it ends if it is not refreshed.
    let expiresAt: String
    let endedAt: String?
    let endReason: String?
    /// Where it was signed in from.
    let address: String?
    let userAgent: String?

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("user") { .number($0.user) },
        Column("device") { .optional($0.device) },
        Column("createdAt") { .text($0.createdAt) },
        Column("lastUsedAt") { .text($0.lastUsedAt) },
        Column("expiresAt") { .text($0.expiresAt) },
        Column("endedAt", listed: false) { .optional($0.endedAt) },
        Column("endReason") { .optional($0.endReason) },
        Column("address", listed: false) { .optional($0.address) },
        Column("userAgent", listed: false) { .optional($0.userAgent) },
    ]
}

extension SessionRow {
    init(_ session: SessionView) {
        self.init(
            id: session.id.rawValue,
            user: session.user.rawValue,
            device: session.deviceName,
            createdAt: session.createdAt.description,
            lastUsedAt: session.lastUsedAt.description,
            expiresAt: session.expires.description,
            endedAt: session.endedAt?.description,
            endReason: session.endReason,
            address: session.address,
            userAgent: session.userAgent
        )
    }
}
