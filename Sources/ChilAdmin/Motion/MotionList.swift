import ChilCore
import ChilStore

/// `chiladmin motion list`
struct MotionList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["motion", "list"],
        summary: "what moves a tenant's drawings, in the order in which it is asked",
        examples: [.init("chiladmin motion list chillin -o json", "with pauses, and what went wrong last")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")]
    )

    let tenant: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ImageEndpointRow> {
        Listing(try await services.imageEndpoints(for: .motion, of: tenant))
    }
}
