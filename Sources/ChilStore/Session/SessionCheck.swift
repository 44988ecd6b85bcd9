package import ChilCore
package import ChilDatabase

/// A session's row, as tokens are held against it.
package struct SessionRecord: Sendable {
    package let user: UserID
    /// 16 bytes: with the service's key they make the key of this session's refresh tokens.
    package let salt: [UInt8]
    /// The refresh counter in force.
    package let generation: Int32
    /// When a token of that generation was first seen; `nil`: not yet, so its parent still gives the same answer.
    package let childUsedAt: Timestamp?
    package let idleExpires: Timestamp
    package let expires: Timestamp
    package let endedAt: Timestamp?

    package func isLive(at now: Timestamp) -> Bool {
        endedAt == nil && now < idleExpires && now < expires
    }
}

/// The session that a token names. No row: it never was, or the sweeper took it.
package struct SessionCheck: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select user_id, salt, generation, child_used_at, idle_expires_at, expires_at, ended_at
          from session where tenant_id = $1 and session_id = $2
        """
    )

    package let tenant: TenantID
    let session: SessionID

    package init(_ session: SessionID, of tenant: TenantID) {
        self.tenant = tenant
        self.session = session
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(session)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> SessionRecord {
        SessionRecord(
            user: try row.id(0),
            salt: row.bytes(1),
            generation: try row.int32(2),
            childUsedAt: try row.timestampOrNil(3),
            idleExpires: try row.timestamp(4),
            expires: try row.timestamp(5),
            endedAt: try row.timestampOrNil(6)
        )
    }
}

/// The client that a session began with. No row: there is no such session. `nil`: nobody wrote it down.
package struct SessionClient: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL("select client_id from session where tenant_id = $1 and session_id = $2")

    package let tenant: TenantID
    let session: SessionID

    package init(of session: SessionID, in tenant: TenantID) {
        self.tenant = tenant
        self.session = session
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(session)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> String? { row.textOrNil(0) }
}

/// An access token of the generation in force was seen for the first time: from now its parent's minute runs.
package struct SessionChildUsed: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update session set child_used_at = $4, last_used_at = $4
         where tenant_id = $1 and session_id = $2 and generation = $3 and child_used_at is null and ended_at is null
        """
    )

    package let tenant: TenantID
    let session: SessionID
    let generation: Int32
    let now: Timestamp

    package init(_ session: SessionID, of tenant: TenantID, generation: Int32, at now: Timestamp) {
        self.tenant = tenant
        self.session = session
        self.generation = generation
        self.now = now
    }

    package var contention: Batch.ContentionKey? { Batch.ContentionKey(tenant: tenant, row: session.rawValue) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(session)
        values.append(int32: generation)
        values.append(now)
    }
}
