import ChilCore

/// `chiladmin key list`
struct KeyList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["key", "list"],
        summary: "the keys that sign a tenant's access tokens",
        examples: [.init("chiladmin key list chillin", "newest first, with their states")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        remarks: [
            "next: published, does not sign yet. active: signs. retired: verifies until its last token is over. revoked: nothing."
        ]
    )

    let tenant: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<KeyRow> {
        Listing(try await services.keys(of: tenant))
    }
}
