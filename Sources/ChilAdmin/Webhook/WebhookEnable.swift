import ChilCore
import ChilStore

/// `chiladmin webhook enable`
struct WebhookEnable: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["webhook", "enable"],
        summary: "tell an endpoint again, of the same events as before",
        examples: [.init("chiladmin webhook enable chillin 391234567890123", "also after it answered 410 Gone")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "ENDPOINT", summary: "the endpoint's number"),
        ]
    )

    let tenant: Slug
    let endpoint: WebhookNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        endpoint = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<WebhookRow> {
        Listing(one: try await services.setWebhook(endpoint, of: tenant, to: .enabled))
    }
}
