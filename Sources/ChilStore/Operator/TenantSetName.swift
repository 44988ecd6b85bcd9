package import ChilCore
package import ChilDatabase

/// What people call a tenant. The name it has already changes nothing and is not audited.
package struct TenantSetName: Sendable {
    let name: String
    let tenant: TenantID
    let note: OperatorNote

    package init(_ name: String, of tenant: TenantID, note: OperatorNote) {
        self.name = name
        self.tenant = tenant
        self.note = note
    }

    /// Whether something changed.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let change = batch.add(TenantNameUpdate(set: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(change) != nil
    }
}

private struct TenantNameUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update tenant set name = $5, updated_at = $3 where tenant_id = $1 and name <> $5 returning slug, name
        ), \(OperatorNote.insert("tenant.name", target: "slug", detail: "name"))
        select slug from change
        """
    )

    let set: TenantSetName

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.name)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
