package import ChilCore
package import ChilDatabase

/// How long a tenant's sessions shall live (how many a user may have is a quota). What is `nil` in the change stays as it is; what changes nothing is not audited.
///
/// An absolute life that is shorter than the idle one is refused by `tenant_session_check`.
package struct TenantSetSessions: Sendable {
    package struct Change: Sendable, Equatable {
        package let idle: Duration?
        package let absolute: Duration?

        package init(idle: Duration?, absolute: Duration?) {
            self.idle = idle
            self.absolute = absolute
        }
    }

    let tenant: TenantID
    let change: Change
    let note: OperatorNote

    package init(_ change: Change, of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.change = change
        self.note = note
    }

    /// Whether something changed.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(TenantSessionsUpdate(set: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(slot) != nil
    }
}

private struct TenantSessionsUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update tenant t
               set session_idle_s = coalesce($5, t.session_idle_s),
                   session_absolute_s = coalesce($6, t.session_absolute_s),
                   updated_at = $3
             where t.tenant_id = $1
               and (t.session_idle_s, t.session_absolute_s) is distinct from
                   (coalesce($5, t.session_idle_s), coalesce($6, t.session_absolute_s))
            returning slug, session_idle_s, session_absolute_s
        ), \(OperatorNote.insert(
            "tenant.sessions",
            target: "slug",
            detail: "'idle ' || session_idle_s || ' s, absolute ' || session_absolute_s || ' s'"
        ))
        select slug from change
        """
    )

    let set: TenantSetSessions

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(int32: set.change.idle.map { Int32(clamping: $0.components.seconds) })
        values.append(int32: set.change.absolute.map { Int32(clamping: $0.components.seconds) })
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
