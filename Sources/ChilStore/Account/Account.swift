package import ChilCore
package import ChilDatabase

/// A user's own row, and how often it has changed.
package struct Account: Sendable {
    package let user: UserView
    /// Grows with every change of the row: the entity tag of `me`.
    package let version: Int32

    package var id: UserID { user.id }

    static let columns = "\(UserView.columns), version"

    init(_ row: ResultRow) throws(DatabaseError) {
        user = try UserView(row, from: 0)
        version = try row.int32(8)
    }
}

/// The caller's own row. `nil`: deleted.
package struct UserOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL("select \(Account.columns) from app_user where tenant_id = $1 and user_id = $2")

    package let tenant: TenantID
    let user: UserID

    package init(_ user: UserID, of tenant: TenantID) {
        self.tenant = tenant
        self.user = user
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Account { try Account(row) }
}
