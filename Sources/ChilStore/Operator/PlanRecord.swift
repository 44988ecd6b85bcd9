package import ChilCore
package import ChilDatabase

/// A named set of limits that tenants share.
package struct PlanRecord: Sendable, Equatable {
    package let name: String
    package let createdAt: Timestamp
    /// How many tenants have it.
    package let tenants: Int64
    package let limits: Int64
}

/// A limit of a plan.
package struct PlanQuota: Sendable, Equatable {
    package let key: QuotaKey
    package let terms: QuotaTerms
}

/// All plans by name. Reference tables: no tenant needs to be entered.
package struct PlanList: Statement {
    package static let sql = SQL(
        """
        select p.name, p.created_at, (select count(*) from tenant t where t.plan = p.name),
               (select count(*) from plan_quota q where q.plan = p.name)
          from quota_plan p
         where $1::text is null or p.name = $1
         order by p.name
        """
    )

    let name: String?

    /// - Parameter name: this one alone; `nil`: all.
    package init(named name: String? = nil) {
        self.name = name
    }

    package func bind(_ values: inout BoundValues) {
        values.append(name)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PlanRecord {
        PlanRecord(
            name: row.text(0),
            createdAt: try row.timestamp(1),
            tenants: try row.int64(2),
            limits: try row.int64(3)
        )
    }
}

/// The limits of a plan.
package struct PlanQuotaList: Statement {
    package static let sql = SQL(
        """
        select metric, scope, window_kind, hard_limit, soft_limit, action from plan_quota
         where plan = $1
         order by chil_metric_rank(metric), chil_rank(scope, window_kind)
        """
    )

    let plan: String

    package init(of plan: String) {
        self.plan = plan
    }

    package func bind(_ values: inout BoundValues) {
        values.append(plan)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PlanQuota {
        PlanQuota(key: try QuotaKey(row), terms: try QuotaTerms(row, from: 3))
    }
}

/// The tenants that have a plan.
package struct PlanTenants: Statement {
    package static let sql = SQL("select tenant_id from tenant where plan = $1 order by tenant_id")

    let plan: String

    package init(of plan: String) {
        self.plan = plan
    }

    package func bind(_ values: inout BoundValues) {
        values.append(plan)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> TenantID { try row.id(0) }
}
