import ChilConsole
import ChilCore

/// `chiladmin console`
struct ConsoleCommand: AdminCommand {
    static let effect = Effect.reachesOut("what is done there is asked for one by one; --read-only does nothing")
    static let guide = CommandGuide(
        path: ["console"],
        summary: "watch all of it live, on the whole screen",
        examples: [
            .init("chiladmin console", "until q"),
            .init("chiladmin console --read-only", "nothing can be changed by it"),
            .init("chiladmin console --tenant chillin", "begins with this tenant's users"),
        ],
        flags: [
            .toggle("--read-only", "acts are not offered"),
            .flag("--tenant", "SLUG", "where to begin"),
            .flag("--refresh", "LENGTH", "how often the screen is asked anew (default 2s)"),
        ],
        remarks: [
            "? shows the keys. Wants a terminal of 40 by 10 cells; colours, pictures and letters are as it says it has them (TERM,",
            "COLORTERM, NO_COLOR, LANG). It asks by one connection for what is on the screen and for nothing else. docs/console.md.",
        ]
    )

    let draft: ConsoleDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let refresh: Lifetime? = try words.optional("--refresh")
        draft = ConsoleDraft(
            isReadOnly: words.isSet("--read-only"),
            tenant: try words.optional("--tenant"),
            refreshSeconds: refresh?.seconds ?? 2
        )
        guard (1...3_600).contains(draft.refreshSeconds) else {
            throw UsageError("--refresh: from 1s to 1h")
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<NoRow> {
        try await services.watch(draft)
        return .silent(notes: [])
    }
}

/// How the console is to be.
struct ConsoleDraft: Equatable, Sendable {
    let isReadOnly: Bool
    let tenant: Slug?
    let refreshSeconds: Int64
}

/// What `console` needs.
protocol ConsoleServices {
    /// Shows the console until it is left.
    func watch(_ draft: ConsoleDraft) async throws(AdminFault)
}
