import ChilCore

/// `chiladmin webhook add`
struct WebhookAdd: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["webhook", "add"],
        summary: "have one of a tenant's servers told of what happens",
        examples: [
            .init(
                "chiladmin webhook add chillin --url https://hooks.example/chil --events drawing.created,print.completed",
                "prints the secret that its requests are signed with; it is not shown again"
            ),
            .init("chiladmin webhook add chillin --url https://hooks.example/chil --events all", "everything there is"),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--url", "URL", "where to: https://"),
            .required("--events", "LIST", WebhookTypeWords.expectation),
            .flag("--allow-private", "HOST:PORT", "call it there though the address is private; http:// too"),
        ],
        remarks: [
            "What is sent, and how to verify it: docs/webhooks.md. Running services act on it within a second.",
            "It is not called yet: `chiladmin webhook test` does that.",
        ]
    )

    let tenant: Slug
    let draft: WebhookDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        draft = WebhookDraft(
            url: try words.required("--url"),
            types: try words.required("--events"),
            privateEndpoint: try words.optional("--allow-private")
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<WebhookSecretRow> {
        let (row, notes) = try await services.addWebhook(draft, to: tenant)
        return Listing(one: row, notes: notes + ["Give the secret to the server: it is not shown again."])
    }
}
