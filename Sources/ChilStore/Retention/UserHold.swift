package import ChilCore
package import ChilDatabase

/// Holds what is kept of a user: nothing of it is removed for its age. It stops no deletion that the person asks for. Another reason
/// replaces the one before. True: something changed; false: there is no such user, or it is held for that reason already.
package struct UserHold: Sendable {
    /// Bytes of UTF-8.
    package static let reasonBytesMax = 400

    let user: UserID
    let tenant: TenantID
    let reason: String
    let note: OperatorNote

    package init(_ user: UserID, of tenant: TenantID, because reason: String, note: OperatorNote) {
        self.user = user
        self.tenant = tenant
        self.reason = reason
        self.note = note
    }

    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(HoldUpsert(hold: self))
        return try await database.run(batch).first(slot) != nil
    }
}

/// Ends the hold. True: there was one.
package struct UserRelease: Sendable {
    let user: UserID
    let tenant: TenantID
    let note: OperatorNote

    package init(_ user: UserID, of tenant: TenantID, note: OperatorNote) {
        self.user = user
        self.tenant = tenant
        self.note = note
    }

    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(HoldDelete(release: self))
        return try await database.run(batch).first(slot) != nil
    }
}

/// The audit says that a user is held, not why: it outlives the person.
private struct HoldUpsert: Statement {
    static let sql = SQL(
        """
        with change as (
            insert into user_hold as h (tenant_id, user_id, reason, held_at)
            select $1, u.user_id, $6, $3 from app_user u where u.tenant_id = $1 and u.user_id = $5
                on conflict (tenant_id, user_id) do update set reason = excluded.reason where h.reason <> excluded.reason
            returning user_id
        ), \(OperatorNote.insert("user.hold", target: "user_id::text"))
        select user_id from change
        """
    )

    let hold: UserHold

    func bind(_ values: inout BoundValues) {
        hold.note.bind(&values, of: hold.tenant)
        values.append(hold.user)
        values.append(hold.reason)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> UserID { try row.id(0) }
}

private struct HoldDelete: Statement {
    static let sql = SQL(
        """
        with change as (
            delete from user_hold where tenant_id = $1 and user_id = $5 and $3::timestamptz is not null returning user_id
        ), \(OperatorNote.insert("user.release", target: "user_id::text"))
        select user_id from change
        """
    )

    let release: UserRelease

    func bind(_ values: inout BoundValues) {
        release.note.bind(&values, of: release.tenant)
        values.append(release.user)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> UserID { try row.id(0) }
}
