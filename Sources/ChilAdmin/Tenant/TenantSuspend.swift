import ChilCore
import ChilStore

/// `chiladmin tenant suspend`
struct TenantSuspend: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["tenant", "suspend"],
        summary: "stop serving a tenant; nothing is deleted",
        examples: [.init("chiladmin tenant suspend chillin", "all its calls are refused within a second")],
        arguments: [.init(name: "SLUG", summary: "the tenant")],
        remarks: [
            "Running services hear of it at once. What waits to be printed, drawn, moved, scanned or told waits on; accounts and",
            "tokens that end are still ended. `chiladmin tenant resume` undoes it; sessions go on.",
        ]
    )

    let slug: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        slug = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantRow> {
        Listing(one: try await services.setTenant(slug, to: .suspended))
    }
}
