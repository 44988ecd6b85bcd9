package import ChilCore
package import ChilDatabase

/// Ends live sessions of a user, tells running services, and audits what really ended. Ending what has ended is no error.
package struct SessionsEnd: TenantStatement {
    package enum Scope: String, Sendable, CaseIterable {
        /// One session.
        case local
        /// All of the user's but that one.
        case others
        case global
    }

    /// Why, as the session's row keeps it.
    package enum Reason: String, Sendable {
        case logout
        /// By its user, from the list of sessions.
        case revoked
        case `operator`
    }

    private enum Actor {
        case user
        case `operator`(String)
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select chil_end_sessions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)")

    package let tenant: TenantID
    private let user: UserID?
    private let session: SessionID?
    private let scope: Scope
    private let reason: Reason
    private let actor: Actor
    private let audit: AuditID
    private let requestID: String?
    private let now: Timestamp

    /// By the user.
    ///
    /// - Parameters:
    ///   - session: what `scope` is seen from. Another user's is not touched.
    ///   - audit: a fresh number.
    package init(
        _ scope: Scope,
        from session: SessionID,
        by user: UserID,
        of tenant: TenantID,
        for reason: Reason = .logout,
        audit: AuditID,
        caller: Caller,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.user = user
        self.session = session
        self.scope = scope
        self.reason = reason
        actor = .user
        self.audit = audit
        requestID = caller.requestID
        self.now = now
    }

    /// One session, by the operator.
    package init(_ session: SessionID, of tenant: TenantID, note: OperatorNote) {
        self.init(nil, session, .local, of: tenant, note)
    }

    /// All sessions of a user, by the operator.
    package init(allOf user: UserID, of tenant: TenantID, note: OperatorNote) {
        self.init(user, nil, .global, of: tenant, note)
    }

    private init(_ user: UserID?, _ session: SessionID?, _ scope: Scope, of tenant: TenantID, _ note: OperatorNote) {
        self.tenant = tenant
        self.user = user
        self.session = session
        self.scope = scope
        reason = .operator
        actor = .operator(note.operatorName)
        audit = note.audit
        requestID = nil
        now = note.now
    }

    package var contention: Batch.ContentionKey? {
        (session?.rawValue ?? user?.rawValue).map { Batch.ContentionKey(tenant: tenant, row: $0) }
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(session)
        values.append(scope.rawValue)
        values.append(reason.rawValue)
        switch actor {
        case .user:
            values.append("user")
            values.append(user.map { String($0.rawValue) } ?? "")
        case .operator(let name):
            values.append("operator")
            values.append(name)
        }
        values.append(audit)
        values.append(requestID)
        values.append(now)
    }

    /// How many sessions ended.
    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int { Int(try row.int32(0)) }
}
