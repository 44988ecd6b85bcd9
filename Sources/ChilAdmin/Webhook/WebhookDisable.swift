import ChilCore
import ChilStore

/// `chiladmin webhook disable`
struct WebhookDisable: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["webhook", "disable"],
        summary: "tell an endpoint nothing until it is enabled again",
        examples: [
            .init("chiladmin webhook disable chillin 391234567890123", "what happens meanwhile is not kept for it")
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "ENDPOINT", summary: "the endpoint's number"),
        ],
        remarks: ["What is on its way to it becomes dead; `webhook replay --dead` sends that once it is enabled."]
    )

    let tenant: Slug
    let endpoint: WebhookNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        endpoint = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<WebhookRow> {
        Listing(one: try await services.setWebhook(endpoint, of: tenant, to: .disabled))
    }
}
