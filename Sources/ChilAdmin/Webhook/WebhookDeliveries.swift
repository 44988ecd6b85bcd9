import ChilCore
import ChilStore

/// `chiladmin webhook deliveries`
struct WebhookDeliveries: AdminCommand {
    private static let countMax: Int64 = 1_000
    private static let countDefault: Int64 = 50

    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["webhook", "deliveries"],
        summary: "what was sent to a tenant's endpoints, the newest events first",
        examples: [
            .init("chiladmin webhook deliveries chillin", "the newest 50, with what came of them"),
            .init("chiladmin webhook deliveries chillin --state dead", "what was given up"),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .flag("--endpoint", "NUMBER", "to this one alone"),
            .flag("--state", "pending|delivered|dead", "only those"),
            .flag("--limit", "N", "at most so many, up to \(countMax) (default: \(countDefault))"),
        ],
        remarks: ["Kept: seven days after delivery, thirty after the last attempt of what is dead."]
    )

    let tenant: Slug
    let endpoint: WebhookNumber?
    let state: WebhookDelivery.State?
    let count: Int

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        endpoint = try words.optional("--endpoint")
        state = try words.optional("--state")
        let count: Int64 = try words.optional("--limit") ?? Self.countDefault
        guard (1...Self.countMax).contains(count) else {
            throw UsageError("--limit: not a whole number from 1 to \(Self.countMax)")
        }
        self.count = Int(count)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<WebhookDeliveryRow> {
        let rows = try await services.webhookDeliveries(to: endpoint, state: state, countMax: count, of: tenant)
        return Listing(rows, notes: rows.count == count ? ["There may be more: --limit, or --state."] : [])
    }
}
