import ChilCore
import ChilStore

/// `chiladmin generator list`
struct GeneratorList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["generator", "list"],
        summary: "what draws a tenant's wishes, in the order in which it is asked",
        examples: [.init("chiladmin generator list chillin", "with failures in a row, and when each drew last")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")]
    )

    let tenant: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ImageEndpointRow> {
        Listing(try await services.imageEndpoints(for: .generation, of: tenant))
    }
}
