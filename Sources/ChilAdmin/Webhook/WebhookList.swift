import ChilCore

/// `chiladmin webhook list`
struct WebhookList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["webhook", "list"],
        summary: "a tenant's endpoints",
        examples: [.init("chiladmin webhook list chillin", "what they want, and when they were last reached")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")]
    )

    let tenant: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<WebhookRow> {
        Listing(try await services.webhooks(of: tenant))
    }
}
