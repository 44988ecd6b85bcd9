package import ChilCore
package import ChilDatabase

/// Suspends a tenant and sets the time at which it goes. One that has a time keeps it.
package struct TenantDelete: Sendable {
    /// For so long `tenant resume` undoes it.
    package static let delay = Duration.seconds(7 * 86_400)

    let tenant: TenantID
    let note: OperatorNote

    package init(_ tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.note = note
    }

    /// Whether something changed.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let change = batch.add(TenantPurgeUpdate(delete: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(change) != nil
    }

    fileprivate func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(note.now + Self.delay)
    }
}

private struct TenantPurgeUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update tenant set state = 'suspended', purge_at = $5, purge_by = $4, updated_at = $3
             where tenant_id = $1 and purge_at is null
            returning slug, purge_at
        ), \(OperatorNote.insert("tenant.delete", target: "slug", detail: "'at ' || to_char(purge_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"))
        select slug from change
        """
    )

    let delete: TenantDelete

    func bind(_ values: inout BoundValues) { delete.bind(&values) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// Tenants that were deleted, and whose time has come.
package struct TenantsToPurge: Statement {
    package static let sql = SQL(
        "select tenant_id from tenant where purge_at <= $1 and state = 'suspended' order by purge_at, tenant_id"
    )

    let now: Timestamp

    package init(at now: Timestamp) {
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> TenantID { try row.id(0) }
}

/// Removes some rows of a tenant whose time has come (`chil_purge_tenant` in `sql/`); the last time the tenant itself.
package struct TenantPurge: TenantStatement {
    package enum Outcome: Equatable, Sendable {
        case more
        case purged
        /// Nothing was to be done.
        case notDue
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select * from chil_purge_tenant($1, $2, $3::bigint::integer)")

    package let tenant: TenantID
    let now: Timestamp
    let countMax: Int

    package init(of tenant: TenantID, at now: Timestamp, countMax: Int) {
        self.tenant = tenant
        self.now = now
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(now)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> (outcome: Outcome, rows: Int64) {
        let outcome: Outcome =
            switch row.text(0) {
            case "more": .more
            case "purged": .purged
            case "not due": .notDue
            case let word: throw .unknownWord(word)
            }
        return (outcome, try row.int64(1))
    }
}
