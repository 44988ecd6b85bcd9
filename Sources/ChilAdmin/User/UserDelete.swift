import ChilCore

/// `chiladmin user delete`
struct UserDelete: SevereCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["user", "delete"],
        summary: "delete a person's account and all that is theirs",
        examples: [
            .init(
                "chiladmin user delete chillin 391234567890123 --confirm=chillin",
                "for a person who asked for it by letter"
            )
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the user's number"),
        ],
        flags: [.confirm("SLUG")],
        remarks: [
            "The same as `DELETE me` by the person: drawings, images, sessions, identities and print jobs are gone at once; tokens of "
                + "identity providers are revoked by the running services.",
            "Needs CHIL_KEY_FILE: identity tokens from before are refused after it, by a digest of the person's subject that has a key in it.",
            "Give the receipt to the person: GET account-deletions/RECEIPT tells what became of it.",
        ]
    )

    let tenant: Slug
    let user: UserNumber
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
        confirmed = try words.optional("--confirm")
    }

    var word: String? { tenant.description }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.user(user, tenant))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<UserDeletionRow> {
        Listing(one: try await services.deleteUser(user, of: tenant), notes: ["Deleted."])
    }
}
