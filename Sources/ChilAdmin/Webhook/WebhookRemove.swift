import ChilCore

/// `chiladmin webhook remove`
struct WebhookRemove: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["webhook", "remove"],
        summary: "forget an endpoint, with its secret and its deliveries",
        examples: [.init("chiladmin webhook remove chillin 391234567890123", "at once")],
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
        Listing(one: try await services.removeWebhook(endpoint, of: tenant), notes: ["Removed."])
    }
}
