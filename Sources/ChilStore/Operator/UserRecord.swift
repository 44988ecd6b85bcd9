package import ChilCore
package import ChilDatabase

/// A user as an operator sees one.
package struct UserRecord: Sendable {
    package enum State: String, Sendable, CaseIterable { case active, banned }

    package let id: UserID
    package let state: State
    package let givenName: String?
    package let familyName: String?
    package let email: String?
    package let createdAt: Timestamp

    static let columns = "user_id, state, given_name, family_name, email, created_at"

    init(_ row: ResultRow) throws(DatabaseError) {
        id = try row.id(0)
        state = try row.word(1)
        givenName = row.textOrNil(2)
        familyName = row.textOrNil(3)
        email = row.textOrNil(4)
        createdAt = try row.timestamp(5)
    }
}

/// Some users of a tenant, newest first.
package struct UserList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(UserRecord.columns)
          from app_user u
         where u.tenant_id = $1 and u.user_id < $2
           and ($3::text is null or u.email = $3)
           and ($4::text is null
                or exists (select from identity i where i.tenant_id = $1 and i.user_id = u.user_id and i.subject = $4))
         order by u.user_id desc limit $5
        """
    )

    package let tenant: TenantID
    let before: UserID?
    let email: String?
    let subject: String?
    let countMax: Int

    /// - Parameters:
    ///   - before: only users made before this one.
    ///   - email: exactly this address.
    ///   - subject: who the person is with an identity provider.
    package init(of tenant: TenantID, before: UserID?, email: String?, subject: String?, countMax: Int) {
        self.tenant = tenant
        self.before = before
        self.email = email
        self.subject = subject
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(before?.rawValue ?? .max)
        values.append(email)
        values.append(subject)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> UserRecord { try UserRecord(row) }
}

/// A user with what hangs on one, counted.
package struct UserSummary: Sendable {
    package let user: UserRecord
    /// Issuer and subject of each identity.
    package let identities: [String]
    /// The words of `identity.token_state`, one for each identity.
    package let providerTokens: [String]
    package let liveSessions: Int64
    package let drawings: Int64
    package let imageBytes: Int64
    package let printJobs: Int64
    /// Why nothing of the user's goes for its age; `nil`: it does.
    package let hold: String?
}

/// No row: there is no such user.
package struct UserSummaryOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(UserRecord.columns),
               (select string_agg(concat_ws(' ', p.issuer, i.subject), E'\\n' order by i.provider_id)
                  from identity i
                  left join provider_issuer p on p.tenant_id = $1 and p.provider_id = i.provider_id and p.position = 0
                 where i.tenant_id = $1 and i.user_id = $2),
               (select string_agg(i.token_state, E'\\n' order by i.provider_id)
                  from identity i where i.tenant_id = $1 and i.user_id = $2),
               (select count(*) from session s
                 where s.tenant_id = $1 and s.user_id = $2 and s.ended_at is null and least(s.expires_at, s.idle_expires_at) > $3),
               (select count(*) from drawing d where d.tenant_id = $1 and d.owner_id = $2),
               (select coalesce(sum(m.byte_count), 0)::bigint from image m where m.tenant_id = $1 and m.owner_id = $2),
               (select count(*) from print_job j where j.tenant_id = $1 and j.owner_id = $2),
               (select h.reason from user_hold h where h.tenant_id = $1 and h.user_id = $2)
          from app_user where tenant_id = $1 and user_id = $2
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

    package static func row(_ row: ResultRow) throws(DatabaseError) -> UserSummary {
        UserSummary(
            user: try UserRecord(row),
            identities: row.lines(6),
            providerTokens: row.lines(7),
            liveSessions: try row.int64(8),
            drawings: try row.int64(9),
            imageBytes: try row.int64(10),
            printJobs: try row.int64(11),
            hold: row.textOrNil(12)
        )
    }
}
