import ChilCore

/// `chiladmin webhook show`
struct WebhookShow: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["webhook", "show"],
        summary: "one endpoint: what it wants, and how it fares",
        examples: [.init("chiladmin webhook show chillin 391234567890123", "failures, pauses, secrets in use")],
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
        Listing(one: try await services.webhook(endpoint, of: tenant))
    }
}
