package import ChilCore
package import ChilDatabase

/// Somebody whose data was there in a span of time.
package struct AffectedUser: Sendable, Equatable {
    package let id: UserID
    /// Where to tell the person; `nil`: not known, or not any more.
    package let email: String?
    /// `nil`: the account has ended.
    package let createdAt: Timestamp?
    package let deletedAt: Timestamp?
}

/// Whose data was there between two moments, by their numbers, some at a time: for telling people of a leak. An account that has ended since
/// counts whatever it had, as nothing of it is left to ask.
package struct AffectedUsers: TenantStatement {
    /// What leaked. Published words.
    package enum Data: String, Sendable, CaseIterable {
        case account, drawings, sessions, consents
        case printJobs = "print-jobs"
    }

    package static let countMax = 1_000

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select u.user_id, u.email, u.created_at, null::timestamptz
          from app_user u
         where u.tenant_id = $1 and u.user_id > $5 and u.created_at < $3
           and case $4::text
               when 'drawings' then exists (
                    select from drawing d where d.tenant_id = $1 and d.owner_id = u.user_id and d.created_at < $3)
               when 'sessions' then exists (
                    select from session s where s.tenant_id = $1 and s.user_id = u.user_id and s.created_at < $3)
               when 'consents' then exists (select from consent c where c.tenant_id = $1 and c.user_id = u.user_id and c.at < $3)
               when 'print-jobs' then exists (
                    select from print_job j where j.tenant_id = $1 and j.owner_id = u.user_id and j.created_at < $3)
               else true end
         union all
        select d.user_id, null, null, d.deleted_at
          from account_deletion d
         where d.tenant_id = $1 and d.user_id > $5 and d.deleted_at >= $2
         order by 1 limit \(countMax)
        """
    )

    package let tenant: TenantID
    let since: Timestamp
    let until: Timestamp
    let data: Data
    let after: UserID

    /// - Parameter after: the last one of the page before; 0 in the first.
    package init(of tenant: TenantID, since: Timestamp, until: Timestamp, data: Data, after: UserID) {
        self.tenant = tenant
        self.since = since
        self.until = until
        self.data = data
        self.after = after
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(since)
        values.append(until)
        values.append(data.rawValue)
        values.append(after)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> AffectedUser {
        AffectedUser(
            id: try row.id(0),
            email: row.textOrNil(1),
            createdAt: try row.timestampOrNil(2),
            deletedAt: try row.timestampOrNil(3)
        )
    }
}
