import ChilCore
import ChilStore

/// A user in a list.
struct UserRow: ListingRow, Equatable {
    let id: Int64
    let state: UserRecord.State
    let givenName: String?
    let familyName: String?
    let email: String?
    /// RFC 3339, UTC.
    let createdAt: String

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("state") { .text($0.state.rawValue) },
        Column("givenName") { .optional($0.givenName) },
        Column("familyName") { .optional($0.familyName) },
        Column("email") { .optional($0.email) },
        Column("createdAt") { .text($0.createdAt) },
    ]
}

extension UserRow {
    init(_ record: UserRecord) {
        self.init(
            id: record.id.rawValue,
            state: record.state,
            givenName: record.givenName,
            familyName: record.familyName,
            email: record.email,
            createdAt: record.createdAt.description
        )
    }
}

/// A user with what hangs on one.
struct UserDetailRow: ListingRow, Equatable {
    let user: UserRow
    /// Issuer and subject of each.
    let identities: [String]
    let providerTokens: [String]
    let sessions: Int64
    let drawings: Int64
    let imageBytes: Int64
    let printJobs: Int64
    /// Why nothing of the user's is removed for its age.
    var hold: String?

    static let columns: [Column<Self>] =
        UserRow.columns.map { column in Column(column.key) { column.value($0.user) } } + [
            Column("identities") { .list($0.identities) },
            Column("providerTokens") { .list($0.providerTokens) },
            Column("sessions") { .number($0.sessions) },
            Column("drawings") { .number($0.drawings) },
            Column("imageBytes") { .number($0.imageBytes) },
            Column("printJobs") { .number($0.printJobs) },
            Column("hold") { .optional($0.hold) },
        ]
}

extension UserDetailRow {
    init(_ summary: UserSummary) {
        self.init(
            user: UserRow(summary.user),
            identities: summary.identities,
            providerTokens: summary.providerTokens,
            sessions: summary.liveSessions,
            drawings: summary.drawings,
            imageBytes: summary.imageBytes,
            printJobs: summary.printJobs,
            hold: summary.hold
        )
    }
}

/// What is left of a user who was deleted.
struct UserDeletionRow: ListingRow, Equatable {
    let receipt: String
    let drawings: Int64
    /// RFC 3339, UTC.
    let deletedAt: String

    static let columns: [Column<Self>] = [
        Column("receipt") { .text($0.receipt) },
        Column("drawings") { .number($0.drawings) },
        Column("deletedAt") { .text($0.deletedAt) },
    ]
}
