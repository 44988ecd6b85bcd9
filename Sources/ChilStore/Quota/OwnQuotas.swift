package import ChilCore
package import ChilDatabase

/// A limit as somebody sees it whom it concerns.
package struct OwnQuota: Sendable, Equatable {
    package let key: QuotaKey
    package let terms: QuotaTerms
    /// By all of the tenant, or by the user alone, as the scope says.
    package let used: Int64
    /// `nil` where nothing resets.
    package let resetsAt: Timestamp?

    package var remaining: Int64 { max(0, terms.limit - used) }
}

/// The limits of the tenant and of one of its users, with what is used of them; nothing of another user's, and nothing of printers'.
package struct OwnQuotas: TenantStatement {
    /// What is used, and when it begins anew (null: never), of `quota q left join quota_use u` for a user. Not a gate: nothing is held.
    static func used(tenant: String, user: String, now: String) -> String {
        """
        case when q.scope = 'tenant' then case when q.resets_at <= \(now) then 0 else q.used end
             when u.used is null and q.window_kind = 'none' then chil_count_rows(\(tenant), q.metric, \(user))
             when u.used is null or u.resets_at <= \(now) then 0
             else u.used
        end
        """
    }

    static func resetsAt(tenant: String, now: String) -> String {
        """
        case when q.window_kind = 'none' then null
             when q.scope = 'tenant' and q.resets_at > \(now) then q.resets_at
             when q.scope = 'user' and u.resets_at > \(now) then u.resets_at
             else chil_window_end(\(tenant), q.window_kind, \(now))
        end
        """
    }

    static func tables(tenant: String, user: String) -> String {
        """
        quota q
          left join quota_use u
            on u.tenant_id = \(tenant) and u.subject_id = \(user) and u.metric = q.metric and u.scope = q.scope
           and u.window_kind = q.window_kind
        """
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select q.metric, q.scope, q.window_kind, q.hard_limit, q.soft_limit, q.action,
               case when q.metric = 'sessions_per_user'
                    then (select count(*) from session s
                           where s.tenant_id = $1 and s.user_id = $2 and s.ended_at is null
                             and s.expires_at > $3 and s.idle_expires_at > $3)
                    else \(used(tenant: "$1", user: "$2", now: "$3"))
               end,
               \(resetsAt(tenant: "$1", now: "$3"))
          from \(tables(tenant: "$1", user: "$2"))
         where q.tenant_id = $1 and q.scope in ('tenant', 'user')
         order by chil_metric_rank(q.metric), chil_rank(q.scope, q.window_kind)
        """
    )

    package let tenant: TenantID
    let user: UserID
    let now: Timestamp

    package init(of user: UserID, in tenant: TenantID, at now: Timestamp) {
        self.tenant = tenant
        self.user = user
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> OwnQuota {
        OwnQuota(
            key: try QuotaKey(row),
            terms: try QuotaTerms(row, from: 3),
            used: try row.int64(6),
            resetsAt: try row.timestampOrNil(7)
        )
    }
}
