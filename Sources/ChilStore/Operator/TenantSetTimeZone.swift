package import ChilCore
package import ChilDatabase

/// Moves a tenant to another time zone. Windows that run keep their ends; the next ones are by the new calendar. The zone that it has
/// already changes nothing and is not audited.
package struct TenantSetTimeZone: Sendable {
    let tenant: TenantID
    let zone: String
    let note: OperatorNote

    /// - Parameter zone: an IANA name that PostgreSQL knows.
    package init(_ zone: String, of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.zone = zone
        self.note = note
    }

    /// Whether something changed.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let change = batch.add(TenantTimeZoneUpdate(set: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(change) != nil
    }
}

private struct TenantTimeZoneUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update tenant set time_zone = $5, updated_at = $3 where tenant_id = $1 and time_zone <> $5 returning slug, time_zone
        ), \(OperatorNote.insert("tenant.time-zone", target: "slug", detail: "time_zone"))
        select slug from change
        """
    )

    let set: TenantSetTimeZone

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.zone)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
