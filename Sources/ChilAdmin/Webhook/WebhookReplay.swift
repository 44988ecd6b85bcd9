import ChilCore
import ChilStore

/// `chiladmin webhook replay`
struct WebhookReplay: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["webhook", "replay"],
        summary: "send events again: one, or all that were given up",
        examples: [
            .init("chiladmin webhook replay chillin --dead", "once the tenant's server works again"),
            .init(
                "chiladmin webhook replay chillin --event evt_391234567890123_drawing-created",
                "one, delivered or not"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .flag("--event", "EVENT", "this one: its number or its webhook-id"),
            .toggle("--dead", "all that is dead"),
            .flag("--endpoint", "NUMBER", "to this one alone"),
        ],
        remarks: [
            "With the same webhook-id as before: a receiver that has had it knows it. Disabled endpoints get nothing."
        ]
    )

    let tenant: Slug
    let event: WebhookEventNumber?
    let endpoint: WebhookNumber?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        event = try words.optional("--event")
        endpoint = try words.optional("--endpoint")
        let isDead = words.isSet("--dead")
        guard isDead != (event != nil) else {
            throw UsageError(
                "--event or --dead is missing",
                hint: "Usage: \(Self.guide.usage). Give one of --event and --dead."
            )
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<WebhookReplayRow> {
        let replayed = try await services.replayWebhooks(event, to: endpoint, of: tenant)
        let notes = replayed == 0 ? try await whyNothing(services) : []
        return Listing(one: WebhookReplayRow(replayed: replayed), notes: notes)
    }

    private func whyNothing(_ services: any AdminServices) async throws(AdminFault) -> [String] {
        let disabled = try await services.webhooks(of: tenant).filter { row in
            row.state == WebhookEndpoint.State.disabled.rawValue && (endpoint == nil || row.id == endpoint?.id.rawValue)
        }
        guard disabled.isEmpty else {
            return disabled.map {
                "Nothing to send: endpoint \($0.id) is disabled; `chiladmin webhook enable \(tenant) \($0.id)` first."
            }
        }
        return ["Nothing to send: `chiladmin webhook deliveries \(tenant)` shows what there is."]
    }
}
