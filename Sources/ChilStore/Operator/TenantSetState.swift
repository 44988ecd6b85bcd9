package import ChilCore
package import ChilDatabase

/// Suspends or resumes a tenant. The state it has already changes nothing and is not audited.
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
            update tenant set state = $5, updated_at = $3 where tenant_id = $1 and state <> $5 returning slug, state
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
