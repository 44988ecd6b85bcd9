import ChilCore
import ChilStore

/// `chiladmin motion remove`
struct MotionRemove: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["motion", "remove"],
        summary: "forget a service that moves drawings, with its key",
        examples: [.init("chiladmin motion remove chillin 391234567890123", "at once; its GIFs stay")],
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
        Listing(one: try await services.removeImageEndpoint(number, for: .motion, of: tenant), notes: ["Removed."])
    }
}
