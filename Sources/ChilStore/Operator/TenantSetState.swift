package import ChilCore
package import ChilDatabase

/// Suspends or resumes a tenant; one that is resumed before its time has come is deleted no more. The state it has already changes nothing and is not audited.
package struct TenantSetState: Sendable {
    let tenant: TenantID
    let state: TenantRecord.State
    let note: OperatorNote

    package init(_ tenant: TenantID, to state: TenantRecord.State, note: OperatorNote) {
        self.tenant = tenant
        self.state = state
        self.note = note
    }

    /// Whether something changed.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let change = batch.add(TenantStateUpdate(set: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(change) != nil
    }
}

private struct TenantStateUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update tenant
               set state = $5, updated_at = $3, purge_at = case when $5 = 'suspended' then purge_at end,
                   purge_by = case when $5 = 'suspended' then purge_by end
             where tenant_id = $1 and state <> $5 and (purge_at is null or purge_at > $3)
            returning slug, state
        ), \(OperatorNote.insert("tenant.state", target: "slug", detail: "state"))
        select slug from change
        """
    )

    let set: TenantSetState

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.state.rawValue)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
