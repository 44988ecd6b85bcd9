import ChilCore

/// `chiladmin apple transfer export`
struct TransferExport: AdminCommand {
    static let effect = Effect.reachesOut("it asks Apple for each user")
    static let guide = CommandGuide(
        path: ["apple", "transfer", "export"],
        summary: "before an app goes to another team: ask for its users' transfer identifiers",
        examples: [
            .init(
                "chiladmin apple transfer export chillin --client-id com.example.chilhada --target Z9Y8X7W6V5 --out users.csv",
                "a line for each user: sub,transfer_sub"
            )
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--client-id", "ID", "the app that goes"),
            .required("--target", "TEAM", "the team that takes it over"),
            .required("--out", "FILE", "where to; lines that are there stay and are not asked for again"),
            ProviderChoice.issuerFlag,
        ],
        remarks: [
            "Start it when the transfer is agreed and before it is made, with the team's own credentials (client set).",
            "Ended early it goes on where it stopped: run the same line again, also for users that came since.",
            "Whoever keeps the users runs `apple transfer import` with the file, with the new team's credentials.",
        ]
    )

    let tenant: Slug
    let draft: TransferExportDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        let target: ProviderWord = try words.required("--target")
        draft = TransferExportDraft(
            choice: ProviderChoice(
                issuer: try words.optional("--for-issuer"),
                clientID: try words.required("--client-id")
            ),
            target: target.text,
            path: try words.required("--out")
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TransferExportRow> {
        let row = try await services.exportTransfer(draft, of: tenant)
        let note =
            "The provider has no identifier for \(row.refused) users (\(row.refusal ?? "no reason")): they are not in the file."
        return Listing(one: row, notes: row.refused == 0 ? [] : [note])
    }
}

/// What is to be exported.
struct TransferExportDraft: Equatable, Sendable {
    let choice: ProviderChoice
    let target: String
    let path: String
}

/// What an export did.
struct TransferExportRow: ListingRow, Equatable {
    var written: Int64 = 0
    /// Lines that were in the file already.
    var present: Int64 = 0
    /// Users for whom the provider gives no identifier.
    var refused: Int64 = 0
    /// What it said of the last of them.
    var refusal: String?

    static let columns: [Column<Self>] = [
        Column("written") { .number($0.written) },
        Column("present") { .number($0.present) },
        Column("refused") { .number($0.refused) },
    ]
}
