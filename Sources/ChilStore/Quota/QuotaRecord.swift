package import ChilCore
package import ChilDatabase

/// A limit of a tenant, and what is used of it.
package struct QuotaRecord: Sendable, Equatable {
    package let key: QuotaKey
    package let terms: QuotaTerms
    package let source: QuotaSource
    /// `nil` where each user or printer has a count of its own, and none was asked for.
    package let used: Int64?
    /// `nil` where nothing resets.
    package let resetsAt: Timestamp?
}

/// The limits of a tenant, and what all of it has used; of one user and one printer too where each has a count of its own. What is not
/// among them is unlimited.
package struct QuotaList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select q.metric, q.scope, q.window_kind, q.hard_limit, q.soft_limit, q.action, q.source,
               case when q.scope = 'tenant' then case when q.resets_at <= $2 then 0 else q.used end
                    when case q.scope when 'user' then $3 else $4 end is null then null
                    when q.metric = 'sessions_per_user'
                    then (select count(*) from session s
                           where s.tenant_id = $1 and s.user_id = $3 and s.ended_at is null
                             and s.expires_at > $2 and s.idle_expires_at > $2)
                    when u.used is null and q.window_kind = 'none' then chil_count_rows($1, q.metric, $3)
                    when u.used is null or u.resets_at <= $2 then 0
                    else u.used
               end,
               case when q.window_kind = 'none' then null
                    when q.scope = 'tenant' and q.resets_at > $2 then q.resets_at
                    when u.resets_at > $2 then u.resets_at
                    else chil_window_end($1, q.window_kind, $2)
               end
          from quota q
          left join quota_use u
            on u.tenant_id = $1 and u.subject_id = case q.scope when 'user' then $3::bigint when 'printer' then $4::bigint end
           and u.metric = q.metric and u.scope = q.scope and u.window_kind = q.window_kind
         where q.tenant_id = $1
         order by chil_metric_rank(q.metric), chil_rank(q.scope, q.window_kind)
        """
    )

    package let tenant: TenantID
    let user: UserID?
    let printer: PrinterID?
    let now: Timestamp

    /// - Parameters:
    ///   - user: whose use is told; `nil`: nobody's.
    ///   - printer: the same.
    package init(of tenant: TenantID, user: UserID? = nil, printer: PrinterID? = nil, at now: Timestamp) {
        self.tenant = tenant
        self.user = user
        self.printer = printer
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(now)
        values.append(user)
        values.append(printer)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaRecord {
        QuotaRecord(
            key: try QuotaKey(row),
            terms: try QuotaTerms(row, from: 3),
            source: try row.word(6),
            used: try row.int64OrNil(7),
            resetsAt: try row.timestampOrNil(8)
        )
    }
}

/// How many sessions a user may have, of those of the tenants that limit it. For operators alone: no service sees more than one tenant.
package struct SessionLimits: Statement {
    package static let sql = SQL(
        """
        select e.tenant, q.hard_limit
          from unnest($1::bigint[]) as e (tenant)
         cross join lateral (
               select x.hard_limit from quota x where x.tenant_id = e.tenant and x.metric = 'sessions_per_user' limit 1
               ) as q
        """
    )

    let tenants: [TenantID]

    package init(of tenants: [TenantID]) {
        self.tenants = tenants
    }

    package func bind(_ values: inout BoundValues) {
        values.append(int64s: tenants.map(\.rawValue))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> (tenant: TenantID, limit: Int64) {
        (try row.id(0), try row.int64(1))
    }
}

/// The limits of a tenant without their counts, for whoever keeps them.
struct QuotaKeys: TenantStatement {
    struct Row: Sendable {
        let key: QuotaKey
        let limit: Int64
    }

    static let access = Batch.Access.read
    static let sql = SQL("select metric, scope, window_kind, hard_limit from quota where tenant_id = $1")

    let tenant: TenantID

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(key: try QuotaKey(row), limit: try row.int64(3))
    }
}
