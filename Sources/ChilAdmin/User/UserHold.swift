import ChilCore

/// `chiladmin user hold`
struct UserHold: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["user", "hold"],
        summary: "remove nothing of a person's for its age, while a dispute or a court needs it",
        examples: [.init("chiladmin user hold chillin 391234567890123 --reason 'case 17/2026'", "user show says so")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the user's number"),
        ],
        flags: [.required("--reason", "TEXT", "why; no word of the person, at most 400 bytes")],
        remarks: [
            "It stops what removes by age, and `user delete` and `erasure done`. It does not stop `DELETE me` by the person.",
            "While anybody of the tenant's is held, its audit is kept whole. `chiladmin user release` ends it.",
        ]
    )

    let tenant: Slug
    let user: UserNumber
    let reason: Remark

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
        reason = try words.required("--reason")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<UserDetailRow> {
        Listing(one: try await services.hold(user, of: tenant, because: reason))
    }
}

/// `chiladmin user release`
struct UserRelease: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["user", "release"],
        summary: "end a hold: what is of the person goes when it has had its time",
        examples: [.init("chiladmin user release chillin 391234567890123", "what is too old goes within the hour")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the user's number"),
        ]
    )

    let tenant: Slug
    let user: UserNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<UserDetailRow> {
        Listing(one: try await services.hold(user, of: tenant, because: nil))
    }
}
