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
        """
        with change as (
            update app_user
               set given_name = case when $5 then $6 else given_name end,
                   family_name = case when $7 then $8 else family_name end,
                   version = version + 1, updated_at = $4
             where tenant_id = $1 and user_id = $2 and version = $3
            returning \(Account.columns)
        ), note as (
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, request_id)
            select $1, $9, $4, 'user', user_id::text, 'account.change', user_id::text, $10 from change
        )
        select * from change
        """
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
        values.append(note.now)
        for change in [givenName, familyName] {
            values.append(change != .keep)
            if case .set(let text) = change { values.append(text) } else { values.appendNull() }
        }
        values.append(note.audit)
        values.append(note.requestID)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Account { try Account(row) }
}
