import ChilCore

/// `chiladmin apple transfer import`
struct TransferImport: AdminCommand {
    static let effect = Effect.reachesOut("it asks Apple for each user")
    static let guide = CommandGuide(
        path: ["apple", "transfer", "import"],
        summary: "after an app came from another team: keep its users",
        examples: [
            .init(
                "chiladmin apple transfer import chillin --client-id com.example.chilhada --file users.csv --move-now",
                "move everybody now; without --move-now each at the next sign-in"
            )
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--client-id", "ID", "the app that came"),
            .flag("--file", "FILE", "lines sub,transfer_sub as the other team exported them; the first one says so"),
            .toggle(
                "--move-now",
                "ask the provider who each user is now, and move them; needs the new team's credentials"
            ),
            ProviderChoice.issuerFlag,
        ],
        remarks: [
            "Apple tells who a user was for 60 days after the transfer. Who neither signs in nor is moved by then is lost.",
            "Ended early it goes on where it stopped: run the same line again.",
        ]
    )

    let tenant: Slug
    let draft: TransferImportDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        draft = TransferImportDraft(
            choice: ProviderChoice(
                issuer: try words.optional("--for-issuer"),
                clientID: try words.required("--client-id")
            ),
            path: try words.optional("--file"),
            movesNow: words.isSet("--move-now")
        )
        guard draft.path != nil || draft.movesNow else {
            throw UsageError("--file is missing", hint: "Give --file FILE, or --move-now for lines imported before.")
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TransferImportRow> {
        let row = try await services.importTransfer(draft, of: tenant)
        var notes: [String] = []
        if row.taken > 0 {
            notes.append(
                "\(row.taken) users have a new account under their new subject already: both stay as they are."
            )
        }
        if let refusal = row.refusal {
            notes.append("The provider does not know \(row.refused) identifiers (\(refusal)).")
        }
        if row.waiting > 0 { notes.append("\(row.waiting) users are moved at their next sign-in, within 60 days.") }
        return Listing(one: row, notes: notes)
    }
}

/// What is to be imported.
struct TransferImportDraft: Equatable, Sendable {
    let choice: ProviderChoice
    let path: String?
    let movesNow: Bool
}

/// What an import did.
struct TransferImportRow: ListingRow, Equatable {
    /// Lines that were not known before.
    var imported: Int64 = 0
    var moved: Int64 = 0
    /// Users who are no more.
    var gone: Int64 = 0
    /// Users whose new subject has an account already.
    var taken: Int64 = 0
    var refused: Int64 = 0
    /// What the provider said of the last of them.
    var refusal: String?
    /// Lines that wait for a sign-in.
    var waiting: Int64 = 0

    static let columns: [Column<Self>] = [
        Column("imported") { .number($0.imported) },
        Column("moved") { .number($0.moved) },
        Column("gone") { .number($0.gone) },
        Column("taken") { .number($0.taken) },
        Column("refused") { .number($0.refused) },
        Column("waiting") { .number($0.waiting) },
    ]
}
