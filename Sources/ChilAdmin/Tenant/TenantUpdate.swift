import ChilCore
import ChilPrint

/// `chiladmin tenant update`
struct TenantUpdate: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["tenant", "update"],
        summary: "how a tenant's sessions live, where its days begin, how its pages are, and whether it has guests",
        examples: [
            .init("chiladmin tenant update chillin --session-idle 14d", "sign out who has not come for two weeks"),
            .init(
                "chiladmin tenant update chillin --session-absolute 180d --sessions-max 10",
                "sign in anew twice a year, on ten devices at once"
            ),
            .init(
                "chiladmin tenant update chillin --time-zone Asia/Seoul",
                "days and months of its quotas begin there"
            ),
            .init(
                "chiladmin tenant update chillin --guest on --guest-prints 100",
                "serve the first app, a class of it"
            ),
            .init(
                "chiladmin tenant update chillin --print-scale paper --paper letter",
                "LARGE, MEDIUM and SMALL are papers, and Letter is the usual one"
            ),
        ],
        arguments: [.init(name: "SLUG", summary: "the tenant")],
        flags: [
            .flag("--name", "NAME", "what people call it"),
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
            .flag(
                "--guest",
                "on|off",
                "serve the first app's five calls without a token, all callers as one guest user"
            ),
            .flag("--guest-prints", "COUNT", "what guests print from one address in a day: 1 to 100000 (30 at first)"),
            .flag(
                "--print-scale",
                "page|paper",
                "LARGE, MEDIUM, SMALL: shares of the page, or A4, B5, A5 where these are loaded (page at first)"
            ),
            .flag(
                "--paper",
                "PAPER|any",
                "what is printed on where nobody asks for a paper: \(PaperName.allCases.map(\.rawValue).joined(separator: ", ")) (any at first)"
            ),
            .flag(
                "--job-mark",
                "on|off",
                "print a small QR code at the edge, by which a page is known again when it is scanned (off at first)"
            ),
        ],
        remarks: [
            "`tenant set` is the same, from earlier releases. `tenant apply` brings a whole tenant to what a file says.",
            "Shorter lives hold for sessions that are there already, from their next refresh on. Services hear of it at once.",
            "Fewer sessions hold from a user's next sign-in on. --sessions-max is the quota sessions_per_user; none leaves it to the plan.",
            "--guest off keeps the guest's drawings for the next --guest on; `chiladmin user delete` erases them in between.",
        ]
    )

    let slug: Slug
    let draft: TenantSettingsDraft
    let guest: GuestDraft
    let printing: PrintingDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        slug = try words.next()
        draft = TenantSettingsDraft(
            idle: try words.optional("--session-idle"),
            absolute: try words.optional("--session-absolute"),
            countMax: try words.optional("--sessions-max"),
            timeZone: try words.optional("--time-zone"),
            name: try words.optional("--name")
        )
        guest = GuestDraft(
            isServed: try words.optional("--guest"),
            printsPerDay: try words.optional("--guest-prints")
        )
        printing = PrintingDraft(
            scale: try words.optional("--print-scale"),
            paper: try words.optional("--paper"),
            mark: try words.optional("--job-mark")
        )
        guard draft != .nothing || guest != .nothing || printing != .nothing else {
            throw UsageError(
                "--name, --session-idle, --session-absolute, --sessions-max, --time-zone, --guest, --guest-prints, --print-scale, --paper or"
                    + " --job-mark is missing",
                hint: "Usage: \(Self.guide.usage)"
            )
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantRow> {
        var tenant: TenantRow?
        if draft != .nothing { tenant = try await services.changeTenant(draft, of: slug) }
        if guest != .nothing { tenant = try await services.setGuest(guest, of: slug) }
        if printing != .nothing { tenant = try await services.setPrinting(printing, of: slug) }
        let row = if let tenant { tenant } else { try await services.tenant(slug) }
        return Listing(one: row, notes: guest.isServed == .on ? [GuestDraft.warning] : [])
    }
}
