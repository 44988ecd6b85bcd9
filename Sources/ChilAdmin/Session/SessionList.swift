import ChilCore

/// `chiladmin session list`
struct SessionList: AdminCommand {
    private static let countMax: Int64 = 1_000

    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["session", "list"],
        summary: "who is signed in, newest first",
        examples: [
            .init("chiladmin session list chillin", "the newest sessions"),
            .init("chiladmin session list chillin --user 401234567890123 --ended", "all of a user's, ended ones too"),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .flag("--user", "NUMBER", "of this user alone"),
            .toggle("--ended", "those too that have ended, until they are swept away"),
            .flag("--limit", "COUNT", "at most so many (default 50, at most \(countMax))"),
        ]
    )

    let tenant: Slug
    let query: SessionQuery

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        let limit: Int64 = try words.optional("--limit") ?? 50
        guard (1...Self.countMax).contains(limit) else {
            throw UsageError("--limit: not a whole number from 1 to \(Self.countMax)")
        }
        query = SessionQuery(
            user: try words.optional("--user"),
            includesEnded: words.isSet("--ended"),
            countMax: Int(limit)
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<SessionRow> {
        let rows = try await services.sessions(of: tenant, query)
        let isCut = rows.count == query.countMax
        return Listing(rows, notes: isCut ? ["There may be more: --limit, or --user."] : [])
    }
}
