package import ChilCore
package import ChilDatabase

/// A refresh token whose MAC was right (`SessionCheck` gives the salt) is held against the session's counter.
package struct SessionRefresh: TenantStatement {
    /// What the answer is made of: tokens of `generation`.
    package struct Grant: Sendable, Equatable {
        package let user: UserID
        package let generation: Int32
        /// When the session ends if it is not refreshed again.
        package let expires: Timestamp
    }

    package enum Outcome: Sendable, Equatable {
        case rotated(Grant)
        /// The parent again, whose child is not in use yet, or not for longer than the grace: the same answer as before.
        case same(Grant)
        /// Older than that: someone else has the token. The session has ended now, and services are told.
        case reused
        /// Ended or expired before, or its user may not go on.
        case ended
        case missing
    }

    /// How long a parent stays good after its child's first use.
    package static let grace = Duration.seconds(60)

    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select * from chil_refresh($1, $2, $3, $4, $5, $6, $7, $8, $9)")
    package static let gathered: SQL? = SQL(
        gatheringCallsOf: "chil_refresh",
        [.bigint, .bigint, .integer, .bigint, .text, .timestamptz, .timestamptz, .integer, .integer]
    )

    package let tenant: TenantID
    let session: SessionID
    let counter: Int32
    let audit: AuditID
    let caller: Caller
    let now: Timestamp
    let settings: SessionRules

    /// - Parameters:
    ///   - audit: a fresh number, used if the session ends.
    ///   - settings: the tenant's of now; they hold for sessions that were there before, too.
    package init(
        _ session: SessionID,
        of tenant: TenantID,
        counter: Int32,
        audit: AuditID,
        caller: Caller,
        at now: Timestamp,
        living settings: SessionRules
    ) {
        self.tenant = tenant
        self.session = session
        self.counter = counter
        self.audit = audit
        self.caller = caller
        self.now = now
        self.settings = settings
    }

    package var contention: Batch.ContentionKey? { Batch.ContentionKey(tenant: tenant, row: session.rawValue) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(session)
        values.append(int32: counter)
        values.append(audit)
        values.append(caller.requestID)
        values.append(now)
        values.append(now - Self.grace)
        values.append(int32: Int32(settings.idle.components.seconds))
        values.append(int32: Int32(settings.absolute.components.seconds))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "rotated": .rotated(try grant(row))
        case "same": .same(try grant(row))
        case "reused": .reused
        case "ended": .ended
        case "missing": .missing
        case let word: throw .unknownWord(word)
        }
    }

    private static func grant(_ row: ResultRow) throws(DatabaseError) -> Grant {
        Grant(user: try row.id(1), generation: try row.int32(2), expires: try row.timestamp(3))
    }
}
