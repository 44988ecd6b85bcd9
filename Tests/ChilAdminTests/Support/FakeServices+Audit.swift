import ChilCore
import ChilStore

@testable import ChilAdmin

/// The audit, and the servers that are told.
extension FakeServices {
    func audit(_ query: AuditQuery, before: AuditCursor?, countMax: Int, of slug: Slug) async throws(AdminFault)
        -> [AuditEntryRow]
    {
        try note("audit of \(slug) \(query.action ?? "all") at most \(countMax)")
        return auditRows
    }

    func followAudit(
        _ query: AuditQuery,
        for length: Lifetime?,
        of slug: Slug,
        _ output: (AuditEntryRow) throws(AdminFault) -> Bool
    ) async throws(AdminFault) {
        try note("follow \(slug) for \(length?.seconds ?? 0)")
        for row in auditRows { guard try output(row) else { return } }
    }

    func verifyAudit(of slug: Slug?, keeping kept: KeptHead?) async throws(AdminFault) -> [AuditReportRow] {
        try note("verify \(slug?.description ?? "all") \(kept?.head.sequence ?? -1)")
        return [auditReport]
    }

    func verifyAuditFile(_ path: String, keeping kept: KeptHead?) throws(AdminFault) -> AuditReportRow {
        try note("verify file \(path)")
        return auditReport
    }

    func exportAudit(of slug: Slug, after sequence: Int64?, to path: String) async throws(AdminFault) -> AuditExportRow
    {
        try note("export audit of \(slug) after \(sequence ?? 0)")
        return AuditExportRow(path: path, rows: 3, head: auditReport.head)
    }

    func addWebhook(_ draft: WebhookDraft, to slug: Slug) async throws(AdminFault) -> (
        WebhookSecretRow, notes: [String]
    ) {
        try note("webhook \(draft.url) to \(slug): \(draft.types.types.map(\.rawValue).joined(separator: " "))")
        return (WebhookSecretRow(id: 9, secret: "whsec_c2VjcmV0"), [])
    }

    func webhooks(of slug: Slug) async throws(AdminFault) -> [WebhookRow] {
        try note("webhooks of \(slug)")
        return [Sample.webhook]
    }

    func webhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookRow {
        try note("webhook \(number.id.rawValue) of \(slug)")
        return Sample.webhook
    }

    func testWebhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookTestRow {
        try note("test webhook \(number.id.rawValue) of \(slug)")
        return WebhookTestRow(id: 9, url: Sample.webhook.url, status: 204)
    }

    func rotateWebhook(_ number: WebhookNumber, of slug: Slug, overlap: Lifetime) async throws(AdminFault)
        -> WebhookSecretRow
    {
        try note("rotate webhook \(number.id.rawValue) of \(slug) over \(overlap.seconds)")
        return WebhookSecretRow(id: 9, secret: "whsec_c2VjcmV0")
    }

    func setWebhook(_ number: WebhookNumber, of slug: Slug, to state: WebhookEndpoint.State) async throws(AdminFault)
        -> WebhookRow
    {
        try note("\(state) webhook \(number.id.rawValue) of \(slug)")
        return Sample.webhook
    }

    func removeWebhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookRow {
        try note("remove webhook \(number.id.rawValue) of \(slug)")
        return Sample.webhook
    }

    func webhookDeliveries(
        to number: WebhookNumber?,
        state: WebhookDelivery.State?,
        countMax: Int,
        of slug: Slug
    ) async throws(AdminFault) -> [WebhookDeliveryRow] {
        try note("deliveries of \(slug) \(state?.rawValue ?? "all") at most \(countMax)")
        return [Sample.delivery]
    }

    func replayWebhooks(
        _ event: WebhookEventNumber?,
        to number: WebhookNumber?,
        of slug: Slug
    ) async throws(AdminFault) -> Int64 {
        try note("replay \(event?.id.rawValue ?? 0) of \(slug)")
        return 2
    }
}
