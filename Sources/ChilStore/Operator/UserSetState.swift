package import ChilCore
package import ChilDatabase

/// Bans a user, who is signed out everywhere and cannot sign in again, or lets one in again. The state one has already changes nothing
/// and is not audited.
package struct UserSetState: Sendable {
    let tenant: TenantID
    let user: UserID
    let state: UserRecord.State
    let note: OperatorNote

    package init(_ user: UserID, of tenant: TenantID, to state: UserRecord.State, note: OperatorNote) {
        self.tenant = tenant
        self.user = user
        self.state = state
        self.note = note
    }

    /// Whether something changed.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        // The user's row first: a sign-in that is under way has either committed its session by then, or sees the ban.
        let change = batch.add(UserStateUpdate(set: self))
        if state == .banned { batch.add(SessionsBan(set: self)) }
        batch.add(Notify.user(user, of: tenant))
        return try await database.run(batch).first(change) != nil
    }
}

private struct UserStateUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update app_user set state = $6, updated_at = $3
             where tenant_id = $1 and user_id = $5 and state <> $6
            returning user_id, state
        ), \(OperatorNote.insert("user.state", target: "user_id::text", detail: "state"))
        select user_id from change
        """
    )

    let set: UserSetState

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.user)
        values.append(set.state.rawValue)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> UserID { try row.id(0) }
}

private struct SessionsBan: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        update session set ended_at = $3, end_reason = 'banned'
         where tenant_id = $1 and user_id = $2 and ended_at is null
        """
    )

    let set: UserSetState

    func bind(_ values: inout BoundValues) {
        values.append(set.tenant)
        values.append(set.user)
        values.append(set.note.now)
    }
}
