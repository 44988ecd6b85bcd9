import ChilCore

/// `chiladmin key reseal`
struct KeyReseal: AdminCommand {
    static let effect = Effect.writesInSteps
    static let guide = CommandGuide(
        path: ["key", "reseal"],
        summary: "seal all secrets anew under the key file's highest version",
        examples: [
            .init("chiladmin key reseal", "of all tenants, after a line was added to the key file"),
            .init("chiladmin key reseal --tenant chillin", "of one"),
        ],
        flags: [.flag("--tenant", "SLUG", "of this tenant alone")],
        remarks: [
            "To replace a master key: add a line with a higher version to CHIL_KEY_FILE, restart every chilapi, run this.",
            "The old line may go when nobody's session has a refresh token of its version any more: after the longest"
                + " --session-idle. Earlier, those who have not come since then sign in again.",
            "In no case within a day, nor while shortLived is not 0: codes to be exchanged and tokens to be revoked are not sealed anew.",
            "It may be interrupted and run again: each value opens all the while.",
        ]
    )

    let tenant: Slug?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.optional("--tenant")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ResealRow> {
        let rows = try await services.reseal(tenant)
        let lost = rows.filter { $0.unreadable > 0 }
        guard lost.isEmpty else {
            throw AdminFault(
                .failed,
                "values that open with no version of the key file: "
                    + lost.map { "\($0.unreadable) of \($0.tenant)" }.joined(separator: ", "),
                remedy:
                    "Put the line that is missing back into CHIL_KEY_FILE, and run this again. All others are sealed anew."
            )
        }
        let shortLived = rows.reduce(0) { $0 + $1.shortLived }
        return Listing(
            rows,
            notes: ["Everything that stays is sealed under the highest version."]
                + (shortLived == 0 ? [] : [Self.warning(shortLived)])
        )
    }

    private static func warning(_ shortLived: Int64) -> String {
        "Keep the old line: codes to be exchanged and tokens to be revoked are sealed under it still (\(shortLived)), for a day at most."
            + " Run this again until there are none."
    }
}
