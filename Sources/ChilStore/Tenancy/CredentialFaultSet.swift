package import ChilCore
package import ChilDatabase

/// Remembers that the provider refused the tenant's credentials, or takes them again. Audited, and told to the services, exactly if
/// that is new.
package struct CredentialFaultSet: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as (
            update provider set credential_fault = $6
             where tenant_id = $1 and provider_id = $5 and (credential_fault is null) <> ($6::text is null)
            returning provider_id
        ), note as (
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
            select $1, $2, $3, $7, $4, case when $6::text is null then 'provider.accepted' else 'provider.refused' end, provider_id::text, $6
              from change
        )
        select pg_notify('chil', 'tenant ' || $1::text) from change
        """
    )

    package let tenant: TenantID
    let provider: ProviderID
    let fault: String?
    let audit: AuditID
    let now: Timestamp
    /// nil: the service itself.
    let operatorName: String?

    /// - Parameters:
    ///   - fault: what the provider said; nil: the credentials work.
    ///   - operatorName: who asked, for the audit; nil: the service itself.
    package init(
        _ fault: String?,
        of provider: ProviderID,
        in tenant: TenantID,
        audit: AuditID,
        by operatorName: String? = nil,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.provider = provider
        self.fault = fault
        self.audit = audit
        self.now = now
        self.operatorName = operatorName
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(audit)
        values.append(now)
        values.append(operatorName ?? "chilapi")
        values.append(provider)
        values.append(fault)
        values.append(operatorName == nil ? "service" : "operator")
    }

    /// There is one exactly if it is new.
    package static func row(_ row: ResultRow) throws(DatabaseError) {}
}
