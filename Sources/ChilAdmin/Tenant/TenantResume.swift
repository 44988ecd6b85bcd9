import ChilCore
import ChilStore

/// `chiladmin tenant resume`
struct TenantResume: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["tenant", "resume"],
        summary: "serve a suspended tenant again",
        examples: [.init("chiladmin tenant resume chillin", "its calls are answered within a second")],
        arguments: [.init(name: "SLUG", summary: "the tenant")],
        remarks: ["One that was deleted is so no more, until its time has come: `tenant show` says when that is."]
    )

    let slug: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        slug = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantRow> {
        Listing(one: try await services.setTenant(slug, to: .active))
    }
}
