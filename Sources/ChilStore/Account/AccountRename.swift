package import ChilCore
package import ChilDatabase

/// Changes a user's name, if the row is still the version that the caller saw. No row: it is another version now, or gone.
package struct AccountRename: TenantStatement {
    /// What becomes of a member of the row.
    package enum Change: Equatable, Sendable {
        case keep
        case remove
        case set(String)
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        "select \(Account.columns) from chil_rename_account($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    )

    package let tenant: TenantID
    let user: UserID
    let version: Int32
    let givenName: Change
    let familyName: Change
    let note: UserNote

    package init(
        _ user: UserID,
        of tenant: TenantID,
        version: Int32,
        givenName: Change,
        familyName: Change,
        note: UserNote
    ) {
        self.tenant = tenant
        self.user = user
        self.version = version
        self.givenName = givenName
        self.familyName = familyName
        self.note = note
    }

    package var contention: Batch.ContentionKey? { Batch.ContentionKey(tenant: tenant, row: user.rawValue) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(int32: version)
        for change in [givenName, familyName] {
            values.append(change != .keep)
            if case .set(let text) = change { values.append(text) } else { values.appendNull() }
        }
        values.append(note.audit)
        values.append(note.requestID)
        values.append(note.now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Account { try Account(row) }
}
