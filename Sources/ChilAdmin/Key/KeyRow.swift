import ChilCore
import ChilStore

/// A tenant's signing key.
struct KeyRow: ListingRow, Equatable {
    let keyID: String
    let state: String
    /// RFC 3339, UTC; since when it is published.
    let createdAt: String
    let activatedAt: String?
    let retiredAt: String?

    static let columns: [Column<Self>] = [
        Column("keyId") { .text($0.keyID) },
        Column("state") { .text($0.state) },
        Column("createdAt") { .text($0.createdAt) },
        Column("activatedAt") { .optional($0.activatedAt) },
        Column("retiredAt") { .optional($0.retiredAt) },
    ]
}

extension KeyRow {
    init(_ record: TenantKeyRecord) {
        self.init(
            keyID: record.keyID,
            state: record.state.rawValue,
            createdAt: record.createdAt.description,
            activatedAt: record.activatedAt?.description,
            retiredAt: record.retiredAt?.description
        )
    }
}
