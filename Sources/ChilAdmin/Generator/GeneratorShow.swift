import ChilCore
import ChilStore

/// `chiladmin generator show`
struct GeneratorShow: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["generator", "show"],
        summary: "one service: how it is asked, and how it fares",
        examples: [.init("chiladmin generator show chillin 391234567890123", "options, pauses, what went wrong last")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "SERVICE", summary: "the service's number"),
        ],
        remarks: ["Its key is never shown."]
    )

    let tenant: Slug
    let number: ImageEndpointNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        number = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ImageEndpointRow> {
        Listing(one: try await services.imageEndpoint(number, for: .generation, of: tenant))
    }
}
