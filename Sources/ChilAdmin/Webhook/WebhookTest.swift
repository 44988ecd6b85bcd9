import ChilCore

/// `chiladmin webhook test`
struct WebhookTest: AdminCommand {
    static let effect = Effect.reachesOut("it sends an event to the tenant's server")
    static let guide = CommandGuide(
        path: ["webhook", "test"],
        summary: "send a test to an endpoint from this machine, and wait for its answer",
        examples: [
            .init("chiladmin webhook test chillin 391234567890123", "exit status 1 when it does not answer with 2xx")
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "ENDPOINT", summary: "the endpoint's number"),
        ],
        remarks: [
            "Signed like any other; its type is webhook.test. chilapi may stand elsewhere, and reach what this machine does not."
        ]
    )

    let tenant: Slug
    let endpoint: WebhookNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        endpoint = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<WebhookTestRow> {
        Listing(one: try await services.testWebhook(endpoint, of: tenant))
    }
}
