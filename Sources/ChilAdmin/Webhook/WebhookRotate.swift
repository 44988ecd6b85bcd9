import ChilCore

/// `chiladmin webhook rotate`
struct WebhookRotate: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["webhook", "rotate"],
        summary: "give an endpoint a new secret; the old one signs beside it for a while",
        examples: [
            .init(
                "chiladmin webhook rotate chillin 391234567890123 --overlap 2d",
                "two days to give the new one to the server"
            )
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "ENDPOINT", summary: "the endpoint's number"),
        ],
        flags: [.flag("--overlap", "LENGTH", "how long the old secret signs too (default: 24h)")]
    )

    let tenant: Slug
    let endpoint: WebhookNumber
    let overlap: Lifetime

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        endpoint = try words.next()
        overlap = try words.optional("--overlap") ?? Lifetime(seconds: 86_400)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<WebhookSecretRow> {
        Listing(
            one: try await services.rotateWebhook(endpoint, of: tenant, overlap: overlap),
            notes: ["Give the secret to the server: it is not shown again."]
        )
    }
}
