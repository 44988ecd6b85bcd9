import ChilCore

/// `chiladmin user list`
struct UserList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["user", "list"],
        summary: "the people of a tenant, newest first",
        examples: [
            .init("chiladmin user list chillin", "the newest 50"),
            .init("chiladmin user list chillin --subject 001234.ab12cd34.0815", "who that is at the identity provider"),
            .init("chiladmin user list chillin --limit 1000 -o json", "many, for a program"),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .flag("--email", "ADDRESS", "only with exactly this address"),
            .flag("--subject", "TEXT", "only who is this `sub` at an identity provider"),
            .flag("--before", "USER", "only those made before this one: the next page"),
            .flag("--limit", "N", "at most so many, up to 1000 (default: 50)"),
        ]
    )

    static let countMax: Int64 = 1_000
    private static let countDefault: Int64 = 50

    let tenant: Slug
    let query: UserQuery

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        let count: Int64 = try words.optional("--limit") ?? Self.countDefault
        guard (1...Self.countMax).contains(count) else {
            throw UsageError("--limit: not a whole number from 1 to \(Self.countMax)")
        }
        query = UserQuery(
            email: try words.optional("--email"),
            subject: try words.optional("--subject"),
            before: try words.optional("--before"),
            countMax: Int(count)
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<UserRow> {
        let users = try await services.users(query, of: tenant)
        guard let last = users.last else { return Listing(users, notes: ["No such user."]) }
        let isFull = users.count == query.countMax
        return Listing(users, notes: isFull ? ["There may be more: add --before \(last.id)."] : [])
    }
}
