package import ChilCore
package import ChilDatabase

/// Ends sessions of a user, tells running services, and audits what really ended. Ending what has ended is no error.
package struct Logout: Sendable {
    package enum Scope: String, Sendable, CaseIterable {
        /// The caller's session.
        case local
        /// All of the user's but the caller's.
        case others
        case global
    }

    let tenant: TenantID
    let user: UserID
    let session: SessionID
    let scope: Scope
    let audit: AuditID
    let caller: Caller
    let now: Timestamp

    package init(
        _ scope: Scope,
        by user: UserID,
        in session: SessionID,
        of tenant: TenantID,
        audit: AuditID,
        caller: Caller,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.user = user
        self.session = session
        self.scope = scope
        self.audit = audit
        self.caller = caller
        self.now = now
    }

    /// How many sessions ended.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Int {
        var batch = Batch(.write, of: tenant, contending: Batch.ContentionKey(tenant: tenant, row: session.rawValue))
        let ended = batch.add(SessionsEnd(logout: self))
        batch.add(SessionsEndAudit(logout: self))
        batch.add(scope == .local ? Notify.session(session, of: tenant) : Notify.user(user, of: tenant))
        return try await database.run(batch).touched(ended)
    }
}

private struct SessionsEnd: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        update session set ended_at = $5, end_reason = 'logout'
         where tenant_id = $1 and user_id = $2 and ended_at is null
           and case $4::text when 'local' then session_id = $3 when 'others' then session_id <> $3 else true end
        """
    )

    let logout: Logout

    func bind(_ values: inout BoundValues) {
        values.append(logout.tenant)
        values.append(logout.user)
        values.append(logout.session)
        values.append(logout.scope.rawValue)
        values.append(logout.now)
    }
}

private struct SessionsEndAudit: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id, address)
        select $1, $2, $3, 'user', $4::text, 'session.end', $5::text, $6::text, $7, $8
         where exists (
               select from session
                where tenant_id = $1 and user_id = $9 and ended_at = $3 and end_reason = 'logout'
               )
        """
    )

    let logout: Logout

    func bind(_ values: inout BoundValues) {
        values.append(logout.tenant)
        values.append(logout.audit)
        values.append(logout.now)
        values.append(String(logout.user.rawValue))
        values.append(String(logout.session.rawValue))
        values.append("logout " + logout.scope.rawValue)
        values.append(logout.caller.requestID)
        values.append(logout.caller.address)
        values.append(logout.user)
    }
}
