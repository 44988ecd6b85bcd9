package import ChilCore
package import ChilDatabase

/// A new plan, without limits. A taken name is `.conflict` with `quota_plan_pkey`.
package struct PlanCreate: Statement {
    package typealias Row = Void

    package static let sql = SQL("insert into quota_plan (name, created_at) values ($1, $2)")

    let name: String
    let now: Timestamp

    package init(_ name: String, at now: Timestamp) {
        self.name = name
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(name)
        values.append(now)
    }
}

/// Sets a limit of a plan. The tenants that have the plan get it by `PlanApply`, one after another.
/// There is no such plan: `.constraint` with `plan_quota_plan_fkey`.
package struct PlanQuotaSet: Statement {
    package typealias Row = Void

    package static let sql = SQL(
        """
        insert into plan_quota (plan, metric, scope, window_kind, hard_limit, soft_limit, action)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (plan, metric, scope, window_kind) do update
            set hard_limit = excluded.hard_limit, soft_limit = excluded.soft_limit, action = excluded.action
        """
    )

    let plan: String
    let quota: PlanQuota

    package init(_ key: QuotaKey, to terms: QuotaTerms, of plan: String) {
        self.plan = plan
        quota = PlanQuota(key: key, terms: terms)
    }

    package func bind(_ values: inout BoundValues) {
        values.append(plan)
        quota.key.bind(&values)
        quota.terms.bind(&values)
    }
}

/// Takes a limit out of a plan; then `PlanApply` as before. A row: it had one.
package struct PlanQuotaUnset: Statement {
    package static let sql = SQL(
        """
        delete from plan_quota where plan = $1 and metric = $2 and scope = $3 and window_kind = $4 returning plan
        """
    )

    let plan: String
    let key: QuotaKey

    package init(_ key: QuotaKey, of plan: String) {
        self.plan = plan
        self.key = key
    }

    package func bind(_ values: inout BoundValues) {
        values.append(plan)
        key.bind(&values)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// Removes a plan with its limits. Tenants that have it: `.constraint` with `tenant_plan_fkey`.
package struct PlanRemove: Sendable {
    let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// False: there is no such plan.
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: nil)
        batch.add(PlanQuotasDelete(plan: name))
        let change = batch.add(PlanDelete(plan: name))
        return try await database.run(batch).first(change) != nil
    }
}

/// Makes a tenant's limits those of its plan, but for its own, which stay.
package struct PlanApply: Sendable {
    /// The plan that a tenant gets.
    package enum Choice: Sendable, Equatable {
        /// The one it has, whose limits may have changed.
        case unchanged
        case none
        case named(String)
    }

    let choice: Choice
    let tenant: TenantID
    let note: OperatorNote

    /// An unknown plan is `.constraint` with `tenant_plan_fkey`.
    package init(_ choice: Choice, to tenant: TenantID, note: OperatorNote) {
        self.choice = choice
        self.tenant = tenant
        self.note = note
    }

    /// How many limits changed.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Int64 {
        var batch = Batch(.write, of: tenant)
        switch choice {
        case .unchanged: break
        case .none: batch.add(PlanAssign(tenant: tenant, plan: nil, now: note.now))
        case .named(let name): batch.add(PlanAssign(tenant: tenant, plan: name, now: note.now))
        }
        let change = batch.add(TenantPlanApply(apply: self))
        batch.add(Notify.tenant(tenant))
        guard let changed = try await database.run(batch).first(change) else {
            throw .noRow(of: TenantPlanApply.self)
        }
        return changed
    }
}

private struct PlanQuotasDelete: Statement {
    typealias Row = Void
    static let sql = SQL("delete from plan_quota where plan = $1")
    let plan: String
    func bind(_ values: inout BoundValues) { values.append(plan) }
}

private struct PlanDelete: Statement {
    static let sql = SQL("delete from quota_plan where name = $1 returning name")
    let plan: String
    func bind(_ values: inout BoundValues) { values.append(plan) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

private struct PlanAssign: Statement {
    typealias Row = Void

    static let sql = SQL("update tenant set plan = $2, updated_at = $3 where tenant_id = $1")

    let tenant: TenantID
    let plan: String?
    let now: Timestamp

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(plan)
        values.append(now)
    }
}

private struct TenantPlanApply: Statement {
    static let sql = SQL(
        """
        with applied as materialized (
            select chil_apply_plan($1, $3) as limits
        ), change as (
            select array_to_string(limits, ', ') as words, (select coalesce(t.plan, 'none') from tenant t where t.tenant_id = $1) as plan from applied
             where $5 or cardinality(limits) > 0
        ), \(OperatorNote.insert("quota.plan", target: "plan", detail: "coalesce(nullif(words, ''), 'no limit changed')"))
        select cardinality(limits)::bigint from applied
        """
    )

    let apply: PlanApply

    func bind(_ values: inout BoundValues) {
        apply.note.bind(&values, of: apply.tenant)
        values.append(apply.choice != .unchanged)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}
