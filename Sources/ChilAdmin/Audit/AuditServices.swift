import ChilCore

/// What the audit commands need.
protocol AuditServices {
    func audit(_ query: AuditQuery, before: AuditCursor?, countMax: Int, of slug: Slug) async throws(AdminFault)
        -> [AuditEntryRow]
    /// Hands over rows as they come, until told to stop (SIGTERM, SIGINT), for so long, or until `output` wants no more (false).
    func followAudit(
        _ query: AuditQuery,
        for length: Lifetime?,
        of slug: Slug,
        _ output: (AuditEntryRow) throws(AdminFault) -> Bool
    ) async throws(AdminFault)
    /// - Parameter slug: nil: all tenants.
    func verifyAudit(of slug: Slug?, keeping kept: KeptHead?) async throws(AdminFault) -> [AuditReportRow]
    func verifyAuditFile(_ path: String, keeping kept: KeptHead?) throws(AdminFault) -> AuditReportRow
    func exportAudit(of slug: Slug, after sequence: Int64?, to path: String) async throws(AdminFault) -> AuditExportRow
}
