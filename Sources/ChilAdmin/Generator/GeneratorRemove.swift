import ChilCore
import ChilStore

/// `chiladmin generator remove`
struct GeneratorRemove: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["generator", "remove"],
        summary: "forget a service, with its key",
        examples: [.init("chiladmin generator remove chillin 391234567890123", "at once; its drawings stay")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "SERVICE", summary: "the service's number"),
        ]
    )

    let tenant: Slug
    let number: ImageEndpointNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        number = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ImageEndpointRow> {
        Listing(one: try await services.removeImageEndpoint(number, for: .generation, of: tenant), notes: ["Removed."])
    }
}
