package import ChilCore
package import ChilDatabase

/// What has become of a code that came alone.
package struct CodeUse: Sendable {
    /// Why it gives nothing, also if it comes again.
    package enum Fault: String, Sendable {
        /// The provider refused it: used, old, or none of its own.
        case refused
        /// What the provider gave for it is no proof, or was used before.
        case unproven
        case banned
        case quota
    }

    package enum State: Sendable {
        case underWay
        case faulty(Fault)
        /// It made this session, which is as it was made.
        case made(UserView, isNew: Bool, SignIn.MadeSession)
        /// It came with an identity token, what came with it did not come again, or its session has been refreshed or has ended: it
        /// gives nothing more.
        case spent
    }

    package let state: State
    package let leasedUntil: Timestamp
}

package struct CodeUseLook: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select case when c.bound_to = $4 then c.fault end, c.leased_until, c.session_id, s.salt, s.idle_expires_at, s.created_at = u.created_at, \(UserView.columns(of: "u"))
          from code_use c
          left join session s
            on s.tenant_id = $1 and s.session_id = c.session_id and c.token_digest is null and c.bound_to = $4 and s.generation = 1
           and s.ended_at is null and s.expires_at > $3 and s.idle_expires_at > $3
          left join app_user u on u.tenant_id = $1 and u.user_id = s.user_id
         where c.tenant_id = $1 and c.digest = $2 and c.expires_at > $3
        """
    )

    package let tenant: TenantID
    let digest: [UInt8]
    let boundTo: [UInt8]
    let now: Timestamp

    package init(_ digest: [UInt8], boundTo: [UInt8], of tenant: TenantID, at now: Timestamp) {
        self.tenant = tenant
        self.digest = digest
        self.boundTo = boundTo
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(digest)
        values.append(now)
        values.append(boundTo)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> CodeUse {
        let state: CodeUse.State
        if !row.isNull(0) {
            state = .faulty(try row.word(0))
        } else if row.isNull(2) {
            state = .underWay
        } else if row.isNull(6) {
            state = .spent
        } else {
            let session = SignIn.MadeSession(id: try row.id(2), salt: row.bytes(3), idleExpires: try row.timestamp(4))
            state = .made(try UserView(row, from: 6), isNew: try row.bool(5), session)
        }
        return CodeUse(state: state, leasedUntil: try row.timestamp(1))
    }
}
