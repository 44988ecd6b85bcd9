package import ChilCore
package import ChilDatabase

/// Remembers that the provider refused the tenant's credentials, or takes them again. Audited, and told to the services, exactly if
/// that is new.
package struct CredentialFaultSet: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_set_credential_fault($1, $2, $3, $4, $5, $6, $7)")

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
        values.append(provider)
        values.append(fault)
        values.append(audit)
        values.append(operatorName == nil ? "service" : "operator")
        values.append(operatorName ?? "chilapi")
        values.append(now)
    }

    /// Whether it is new.
    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
