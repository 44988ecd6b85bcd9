package import ChilCore
package import ChilDatabase

/// A limit of a tenant, and what is used of it.
package struct QuotaRecord: Sendable, Equatable {
    package let key: QuotaKey
    package let terms: QuotaTerms
    package let source: QuotaSource
    /// `nil` where each user or printer has a count of its own.
    package let used: Int64?
    /// `nil` where nothing resets.
    package let resetsAt: Timestamp?
}

/// The limits of a tenant. What is not among them is unlimited.
package struct QuotaList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select metric, scope, window_kind, hard_limit, soft_limit, action, source,
               case when scope <> 'tenant' then null when resets_at <= $2 then 0 else used end,
               case when window_kind = 'none' then null
                    when scope = 'tenant' and resets_at > $2 then resets_at
                    else chil_window_end($1, window_kind, $2)
               end
          from quota
         where tenant_id = $1
         order by chil_metric_rank(metric), chil_rank(scope, window_kind)
        """
    )

    package let tenant: TenantID
    let now: Timestamp

    package init(of tenant: TenantID, at now: Timestamp) {
        self.tenant = tenant
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(now)
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
