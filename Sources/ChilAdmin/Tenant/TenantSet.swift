import ChilCore

/// `chiladmin tenant set`
struct TenantSet: AdminCommand {
    static let guide = CommandGuide(
        path: ["tenant", "set"],
        summary: "how a tenant's sessions live, and where its days begin",
        examples: [
            .init("chiladmin tenant set chillin --session-idle 14d", "sign out who has not come for two weeks"),
            .init(
                "chiladmin tenant set chillin --session-absolute 180d --sessions-max 10",
                "sign in anew twice a year, on ten devices at once"
            ),
            .init("chiladmin tenant set chillin --time-zone Asia/Seoul", "days and months of its quotas begin there"),
        ],
        arguments: [.init(name: "SLUG", summary: "the tenant")],
        flags: [
            .flag(
                "--session-idle",
                "LENGTH",
                "a session ends so long after its last refresh: 10m to 365d (30d at first)"
            ),
            .flag(
                "--session-absolute",
                "LENGTH",
                "and so long after sign-in: from the idle one to 1825d (90d at first)"
            ),
            .flag(
                "--sessions-max",
                "COUNT|none",
                "one session more than 1 to 1000 ends the one of that user used least recently (none at first)"
            ),
            .flag("--time-zone", "ZONE", "IANA name; windows of quotas that run keep their end, the next go by it"),
        ],
        remarks: [
            "Shorter lives hold for sessions that are there already, from their next refresh on. Services hear of it at once.",
            "Fewer sessions hold from a user's next sign-in on. --sessions-max is the quota sessions_per_user; none leaves it to the plan.",
        ]
    )

    let slug: Slug
    let draft: TenantSettingsDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        slug = try words.next()
        draft = TenantSettingsDraft(
            idle: try words.optional("--session-idle"),
            absolute: try words.optional("--session-absolute"),
            countMax: try words.optional("--sessions-max"),
            timeZone: try words.optional("--time-zone")
        )
        guard draft != .nothing else {
            throw UsageError(
                "--session-idle, --session-absolute, --sessions-max or --time-zone is missing",
                hint: "Usage: \(Self.guide.usage)"
            )
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantRow> {
        Listing(one: try await services.changeTenant(draft, of: slug))
    }
}
