import ChilCore
import ChilStore

/// What the commands about deletions need.
protocol LedgerServices {
    /// - Parameter slug: `nil`: all tenants.
    func exportLedger(of slug: Slug?, to path: String) async throws(AdminFault) -> LedgerExportRow
    func applyLedger(_ path: String) async throws(AdminFault) -> LedgerApplyRow
    func affectedUsers(_ query: AffectedQuery, of slug: Slug) async throws(AdminFault) -> [AffectedUserRow]
}

/// A ledger that was written.
struct LedgerExportRow: ListingRow, Equatable {
    let path: String
    let deletions: Int64

    static let columns: [Column<Self>] = [
        Column("path") { .text($0.path) },
        Column("deletions") { .number($0.deletions) },
    ]
}

/// What a ledger did to a database.
struct LedgerApplyRow: ListingRow, Equatable {
    /// Accounts that had come back, and are gone again.
    var deleted: Int64 = 0
    /// That were not there.
    var gone: Int64 = 0
    /// Whose tenant is not there.
    var strange: Int64 = 0

    static let columns: [Column<Self>] = [
        Column("deleted") { .number($0.deleted) },
        Column("gone") { .number($0.gone) },
        Column("strange") { .number($0.strange) },
    ]
}

/// Which people to list.
struct AffectedQuery: Equatable, Sendable {
    let since: ExactTime
    let until: ExactTime
    let data: AffectedKind
}

/// Somebody whose data was there.
struct AffectedUserRow: ListingRow, Equatable {
    let id: Int64
    let email: String?
    /// RFC 3339, UTC, as the next.
    let createdAt: String?
    let deletedAt: String?

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("email") { .optional($0.email) },
        Column("createdAt") { .optional($0.createdAt) },
        Column("deletedAt") { .optional($0.deletedAt) },
    ]
}

extension AffectedUserRow {
    init(_ user: AffectedUser) {
        self.init(
            id: user.id.rawValue,
            email: user.email,
            createdAt: user.createdAt?.description,
            deletedAt: user.deletedAt?.description
        )
    }
}

typealias AffectedKind = AffectedUsers.Data

extension AffectedKind: ArgumentChoice {}
