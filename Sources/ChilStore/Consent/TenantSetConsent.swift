package import ChilCore
package import ChilDatabase

/// What a tenant asks guardians for. What is `nil` stays; what changes nothing is not audited. A notice never gets a lower version: consent
/// that had ended with it would hold again.
package struct TenantSetConsent: Sendable {
    let tenant: TenantID
    let scopes: [ConsentScope]?
    let notice: Int32?
    let note: OperatorNote

    package init(scopes: [ConsentScope]?, notice: Int32?, of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.scopes = scopes
        self.notice = notice
        self.note = note
    }

    /// Whether something changed.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(TenantConsentUpdate(set: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(slot) != nil
    }
}

private struct TenantConsentUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update tenant t
               set consent_scopes = coalesce($5, t.consent_scopes), consent_notice = greatest(coalesce($6, 1), t.consent_notice),
                   updated_at = $3
             where t.tenant_id = $1
               and (t.consent_scopes, t.consent_notice)
                   is distinct from (coalesce($5, t.consent_scopes), greatest(coalesce($6, 1), t.consent_notice))
            returning slug, consent_scopes, consent_notice
        ), \(OperatorNote.insert(
            "tenant.consent",
            target: "slug",
            detail: "coalesce(nullif(replace(consent_scopes, E'\\n', ' '), ''), 'nothing') || ', notice ' || consent_notice"
        ))
        select slug from change
        """
    )

    let set: TenantSetConsent

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.scopes.map(ConsentPolicy.lines))
        values.append(int32: set.notice)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
