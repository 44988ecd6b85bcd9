import ChilCore

/// `chiladmin user show`
struct UserShow: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["user", "show"],
        summary: "one person: who vouches for them, and how much is theirs",
        examples: [.init("chiladmin user show chillin 391234567890123", "identities, sessions and drawings, counted")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the user's number"),
        ],
        remarks: ["providerTokens: none, pending (a code waits for its exchange), held, failed or dropped."]
    )

    let tenant: Slug
    let user: UserNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<UserDetailRow> {
        Listing(one: try await services.user(user, of: tenant))
    }
}
