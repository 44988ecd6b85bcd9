package import ChilCore
package import ChilDatabase

/// Sets a limit. What is in use counts from the first day: a new limit on something lasting starts at what there is, one for a
/// window at nothing. A limit below use is legal: nothing more is given until enough is freed.
package struct QuotaSet: Sendable {
    let tenant: TenantID
    let metric: QuotaMetric
    let window: QuotaWindow
    let limit: Int64
    let note: OperatorNote

    package init(_ metric: QuotaMetric, of tenant: TenantID, window: QuotaWindow, limit: Int64, note: OperatorNote) {
        self.tenant = tenant
        self.metric = metric
        self.window = window
        self.limit = limit
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> QuotaRecord {
        let key = Batch.ContentionKey(tenant: tenant, row: metric.contentionRow)
        var batch = Batch(.write, of: tenant, contending: key)
        let change = batch.add(QuotaUpsert(set: self))
        batch.add(Notify.tenant(tenant))
        guard let record = try await database.run(batch).first(change) else { throw .noRow(of: QuotaUpsert.self) }
        return record
    }
}

private struct QuotaUpsert: Statement {
    static let sql = SQL(
        """
        with change as (
            insert into quota as q (tenant_id, metric, window_kind, hard_limit, used, resets_at, updated_at)
            values (
                $1, $5::text, $6::text, $7::bigint,
                case when $6 <> 'none' then 0
                     else case $5
                          when 'users' then (select count(*) from app_user where tenant_id = $1)
                          when 'drawings' then (select count(*) from drawing where tenant_id = $1)
                          when 'storage_bytes' then
                               (select coalesce(sum(byte_count), 0)::bigint from image where tenant_id = $1 and staged_until is null)
                          when 'print_jobs' then (select coalesce(sum(copies), 0) from print_job where tenant_id = $1)
                          end
                end,
                chil_window_end($1, $6, $3), $3
            )
            on conflict (tenant_id, metric) do update
               set hard_limit = excluded.hard_limit,
                   window_kind = excluded.window_kind,
                   used = case when q.window_kind = excluded.window_kind then q.used else excluded.used end,
                   resets_at = case when q.window_kind = excluded.window_kind then q.resets_at else excluded.resets_at end,
                   updated_at = excluded.updated_at
            returning metric, window_kind, hard_limit, used, resets_at
        ), \(OperatorNote.insert("quota.set", target: "metric", detail: "hard_limit || ' per ' || window_kind"))
        select metric, window_kind, hard_limit, used, resets_at from change
        """
    )

    let set: QuotaSet

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.metric.rawValue)
        values.append(set.window.rawValue)
        values.append(set.limit)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaRecord { try QuotaRecord(row) }
}
