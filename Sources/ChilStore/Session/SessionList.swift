package import ChilCore
package import ChilDatabase

/// A session as its user and the operator see it. Byte pointers are valid while the view's `row` (its result) lives.
package struct SessionView: Sendable {
    package let row: ResultRow
    package let id: SessionID
    package let user: UserID
    package let createdAt: Timestamp
    package let lastUsedAt: Timestamp
    /// When it ends if it is not refreshed.
    package let expires: Timestamp
    package let endedAt: Timestamp?

    static let columns = """
        session_id, user_id, created_at, last_used_at, least(idle_expires_at, expires_at), ended_at,
        device_name, address, user_agent, end_reason
        """

    init(_ row: ResultRow) throws(DatabaseError) {
        self.row = row
        id = try row.id(0)
        user = try row.id(1)
        createdAt = try row.timestamp(2)
        lastUsedAt = try row.timestamp(3)
        expires = try row.timestamp(4)
        endedAt = try row.timestampOrNil(5)
    }

    package var deviceNameBytes: UnsafeRawBufferPointer? { row.unsafeBytesOrNil(6) }
    package var addressBytes: UnsafeRawBufferPointer? { row.unsafeBytesOrNil(7) }
    package var userAgentBytes: UnsafeRawBufferPointer? { row.unsafeBytesOrNil(8) }
    package var deviceName: String? { row.textOrNil(6) }
    package var address: String? { row.textOrNil(7) }
    package var userAgent: String? { row.textOrNil(8) }
    package var endReason: String? { row.textOrNil(9) }
}

/// The live sessions of a user, the one used last first.
package struct SessionsOfUser: TenantStatement {
    /// More than anybody has devices: a bound of the answer, not of the sessions.
    package static let countMax = 200

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(SessionView.columns) from session
         where tenant_id = $1 and user_id = $2 and ended_at is null and expires_at > $3 and idle_expires_at > $3
         order by last_used_at desc, session_id desc limit \(countMax)
        """
    )

    package let tenant: TenantID
    let user: UserID
    let now: Timestamp

    package init(_ user: UserID, of tenant: TenantID, at now: Timestamp) {
        self.tenant = tenant
        self.user = user
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> SessionView { try SessionView(row) }
}

/// A tenant's newest sessions, for operators; ended ones until the sweeper takes them.
package struct SessionsNewest: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(SessionView.columns) from session
         where tenant_id = $1 and ($2::bigint is null or user_id = $2)
           and ($3 or (ended_at is null and expires_at > $4 and idle_expires_at > $4))
         order by session_id desc limit $5
        """
    )

    package let tenant: TenantID
    let user: UserID?
    let includesEnded: Bool
    let now: Timestamp
    let countMax: Int

    /// - Parameter user: `nil`: of all users.
    package init(
        of user: UserID?,
        in tenant: TenantID,
        includingEnded includesEnded: Bool,
        at now: Timestamp,
        countMax: Int
    ) {
        self.tenant = tenant
        self.user = user
        self.includesEnded = includesEnded
        self.now = now
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(includesEnded)
        values.append(now)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> SessionView { try SessionView(row) }
}
