import ChilCore

/// `chiladmin session revoke`
struct SessionRevoke: AdminCommand {
    /// What came of it.
    struct Row: ListingRow, Equatable {
        let ended: Int64

        static let columns: [Column<Self>] = [Column("ended") { .number($0.ended) }]
    }

    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["session", "revoke"],
        summary: "sign somebody out, within a second",
        examples: [
            .init("chiladmin session revoke chillin --session 401234567890123", "one device"),
            .init("chiladmin session revoke chillin --user 401234567890123", "all devices of a user"),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .flag("--session", "NUMBER", "this session: `chiladmin session list TENANT` shows them"),
            .flag("--user", "NUMBER", "every session of this user"),
        ],
        remarks: ["The user may sign in again; `chiladmin user ban` prevents that."]
    )

    let tenant: Slug
    let choice: SessionChoice

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        let session: SessionNumber? = try words.optional("--session")
        let user: UserNumber? = try words.optional("--user")
        switch (session, user) {
        case (let session?, nil): choice = .one(session)
        case (nil, let user?): choice = .allOf(user: user)
        case (nil, nil):
            throw UsageError("--session or --user is missing", hint: "Usage: \(Self.guide.usage)")
        case (.some, .some):
            throw UsageError("--session and --user are given both", hint: "One names a device, the other all of them.")
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<Row> {
        let ended = try await services.endSessions(choice, of: tenant)
        return Listing(
            one: Row(ended: Int64(ended)),
            notes: ended == 0 ? ["There was nothing to end: `chiladmin session list` shows who is signed in."] : []
        )
    }
}
