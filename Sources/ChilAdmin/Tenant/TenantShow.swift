import ChilCore

/// `chiladmin tenant show`
struct TenantShow: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["tenant", "show"],
        summary: "one tenant",
        examples: [.init("chiladmin tenant show chillin", "all that is set for it")],
        arguments: [.init(name: "SLUG", summary: "the tenant")]
    )

    let slug: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        slug = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantRow> {
        Listing(one: try await services.tenant(slug))
    }
}
