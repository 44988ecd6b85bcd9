import ChilCore
import ChilStore

/// What the user commands need.
protocol UserServices {
    func users(_ query: UserQuery, of slug: Slug) async throws(AdminFault) -> [UserRow]
    func user(_ user: UserNumber, of slug: Slug) async throws(AdminFault) -> UserDetailRow
    /// Sets the state; setting the state one has is no error and no audit entry.
    func setUser(_ user: UserNumber, of slug: Slug, to state: UserRecord.State) async throws(AdminFault)
        -> UserDetailRow
    /// Everything of the user is gone when it returns.
    func deleteUser(_ user: UserNumber, of slug: Slug) async throws(AdminFault) -> UserDeletionRow
    /// Writes the ZIP that the user would get from `me/export`.
    func exportUser(_ user: UserNumber, of slug: Slug, to path: String) async throws(AdminFault) -> UserExportRow
}

/// Which users to list.
struct UserQuery: Equatable, Sendable {
    let email: String?
    let subject: String?
    let before: UserNumber?
    let countMax: Int
}

extension AdminFault {
    static func noSuchUser(_ user: UserNumber, tenant: String) -> Self {
        Self(
            .notFound,
            "tenant '\(tenant)' has no user \(user.id.rawValue)",
            remedy: "`chiladmin user list \(tenant)` shows its users."
        )
    }

    static func isHeld(_ user: UserID, tenant: String) -> Self {
        Self(
            .dataRefused,
            "user \(user.rawValue) is held: nothing of theirs may go",
            remedy: "`chiladmin user show \(tenant) \(user.rawValue)` says why; `chiladmin user release` ends it."
        )
    }

    static func isGuest(tenant: String) -> Self {
        Self(
            .dataRefused,
            "this is who callers without a token are in tenant '\(tenant)'",
            remedy: "The guest is served: switch that off first, `chiladmin tenant update \(tenant) --guest off`."
        )
    }
}
