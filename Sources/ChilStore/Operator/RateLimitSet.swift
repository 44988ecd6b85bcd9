package import ChilCore
package import ChilDatabase

/// Gives a tenant rules of its own, or takes them back. Running services hear of it with the tenant's settings. What changes nothing is
/// not audited.
package struct RateLimitSet: Sendable {
    package enum Change: Sendable {
        case set([RateLimitRecord])
        case unset([(scope: RateScope, kind: RateClass)])
    }

    let tenant: TenantID
    let change: Change
    let note: OperatorNote

    package init(_ change: Change, of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.change = change
        self.note = note
    }

    /// The tenant's own rules after it.
    package func run(on database: some Database) async throws(DatabaseError) -> [RateLimitRecord] {
        var batch = Batch(.write, of: tenant)
        switch change {
        case .set(let rules): batch.add(RateLimitUpsert(rules: rules, tenant: tenant, note: note))
        case .unset(let places): batch.add(RateLimitDelete(places: places, tenant: tenant, note: note))
        }
        let rules = batch.add(RateLimitList(of: tenant))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).rows(rules)
    }
}

private struct RateLimitUpsert: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        with change as (
            insert into rate_limit as r (tenant_id, scope, class, quota, window_s, updated_at)
            select $1, split_part(w.words, ' ', 1), split_part(w.words, ' ', 2), w.quota, w.window_s, $3
              from unnest(string_to_array($5::text, ','), $6::integer[], $7::integer[]) as w (words, quota, window_s)
            on conflict (tenant_id, scope, class) do update
               set quota = excluded.quota, window_s = excluded.window_s, updated_at = excluded.updated_at
             where (r.quota, r.window_s) is distinct from (excluded.quota, excluded.window_s)
            returning scope, class, quota, window_s
        ), \(OperatorNote.insert(
            "limit.set",
            target: "(select string_agg(scope || '-' || class, ' ' order by scope, class) from change)",
            detail: "quota || ' per ' || window_s || ' s'"
        ))
        select 1
        """
    )

    let rules: [RateLimitRecord]
    let tenant: TenantID
    let note: OperatorNote

    func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(rules.map { "\($0.scope.rawValue) \($0.kind.rawValue)" }.joined(separator: ","))
        values.append(int32s: rules.map(\.rule.quota))
        values.append(int32s: rules.map(\.rule.window))
    }
}

private struct RateLimitDelete: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        with change as (
            delete from rate_limit r
             where r.tenant_id = $1 and r.scope || ' ' || r.class = any (string_to_array($5::text, ','))
            returning scope, class
        ), \(OperatorNote.insert(
            "limit.unset",
            target: "(select string_agg(scope || '-' || class, ' ' order by scope, class) from change)"
        ))
        select 1
        """
    )

    let places: [(scope: RateScope, kind: RateClass)]
    let tenant: TenantID
    let note: OperatorNote

    func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(places.map { "\($0.scope.rawValue) \($0.kind.rawValue)" }.joined(separator: ","))
    }
}
