import ChilCore
import ChilStore

/// What the webhook commands need.
protocol WebhookServices {
    /// Notes for the operator: a name that leads nowhere from here.
    func addWebhook(_ draft: WebhookDraft, to slug: Slug) async throws(AdminFault) -> (
        WebhookSecretRow, notes: [String]
    )
    func webhooks(of slug: Slug) async throws(AdminFault) -> [WebhookRow]
    func webhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookRow
    /// Sends an event that is none, from this machine, and waits for the answer: a fault unless that is a good one.
    func testWebhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookTestRow
    func rotateWebhook(_ number: WebhookNumber, of slug: Slug, overlap: Lifetime) async throws(AdminFault)
        -> WebhookSecretRow
    func setWebhook(_ number: WebhookNumber, of slug: Slug, to state: WebhookEndpoint.State) async throws(AdminFault)
        -> WebhookRow
    /// What was there.
    func removeWebhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookRow
    func webhookDeliveries(
        to number: WebhookNumber?,
        state: WebhookDelivery.State?,
        countMax: Int,
        of slug: Slug
    ) async throws(AdminFault) -> [WebhookDeliveryRow]
    /// - Parameter event: nil: all that is dead.
    func replayWebhooks(
        _ event: WebhookEventNumber?,
        to number: WebhookNumber?,
        of slug: Slug
    ) async throws(AdminFault) -> Int64
}

extension AdminFault {
    static func noSuchWebhook(_ number: WebhookNumber, tenant: String) -> Self {
        Self(
            .notFound,
            "tenant '\(tenant)' has no webhook endpoint \(number.id.rawValue)",
            remedy: "`chiladmin webhook list \(tenant)` shows its endpoints."
        )
    }
}
