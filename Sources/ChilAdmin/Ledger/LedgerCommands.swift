import ChilCore
import ChilStore

/// `chiladmin ledger export`
struct LedgerExport: AdminCommand {
    static let effect = Effect.reachesOut("it writes a file and changes nothing else")
    static let guide = CommandGuide(
        path: ["ledger", "export"],
        summary: "write down which accounts were deleted, apart from the database and its backups",
        examples: [
            .init("chiladmin ledger export --out deletions.ndjson", "after each backup at the latest; of all tenants"),
            .init("chiladmin ledger export --out deletions.ndjson --tenant chillin", "of one"),
        ],
        flags: [
            .required("--out", "FILE", "where to; mode 0600, replaced if it is there"),
            .flag("--tenant", "SLUG", "of this tenant alone"),
        ],
        remarks: [
            "A line for each deletion whose receipt is kept (retention class `receipts`): numbers, the time, and the receipt's SHA-256."
                + " Nothing of a person."
        ]
    )

    let tenant: Slug?
    let path: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        path = try words.required("--out")
        tenant = try words.optional("--tenant")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<LedgerExportRow> {
        Listing(one: try await services.exportLedger(of: tenant, to: path))
    }
}

/// `chiladmin ledger apply`
struct LedgerApply: SevereCommand {
    static let effect = Effect.writesInSteps
    static let guide = CommandGuide(
        path: ["ledger", "apply"],
        summary: "after a backup was restored: delete the accounts again that it has brought back",
        examples: [
            .init(
                "chiladmin ledger apply --file deletions.ndjson --confirm=deletions.ndjson",
                "before the services are started again"
            )
        ],
        flags: [
            .required("--file", "FILE", "a ledger, newer than the backup"),
            .confirm("NAME"),
        ],
        remarks: [
            "Needs CHIL_KEY_FILE. The whole file is read before anything is deleted. It may be interrupted and run again: who is gone is gone.",
            "Receipts are good again. Single drawings that somebody had deleted are not in a ledger: they come back with a backup.",
        ]
    )

    let path: String
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        path = try words.required("--file")
        confirmed = try words.optional("--confirm")
    }

    var word: String? { path.split(separator: "/").last.map(String.init) }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.ledger(path))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<LedgerApplyRow> {
        let row = try await services.applyLedger(path)
        let note = "\(row.strange) lines are of tenants that are not in this database: is it the right ledger?"
        return Listing(one: row, notes: row.strange == 0 ? [] : [note])
    }
}

/// `chiladmin audit affected-users`
struct AuditAffectedUsers: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["audit", "affected-users"],
        summary: "whose data was there in a span of time: whom to tell of a leak",
        examples: [
            .init(
                "chiladmin audit affected-users chillin --since 2026-11-01T00:00:00Z --until 2026-11-03T12:00:00Z -o json",
                "everybody who had an account then"
            ),
            .init(
                "chiladmin audit affected-users chillin --since 2026-11-01T00:00:00Z --until 2026-11-03T12:00:00Z --data drawings",
                "of those, who had drawings"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--since", "TIME", "RFC 3339, as 2026-11-01T00:00:00Z"),
            .required("--until", "TIME", "the moment behind the span"),
            .flag(
                "--data",
                "KIND",
                "\(AffectedKind.allCases.map(\.rawValue).joined(separator: ", ")) (default: account)"
            ),
        ],
        remarks: [
            "An account that has ended since is listed by its number, whatever it had: nothing of it is left to look into.",
            "--data asks what is there today. Who has deleted it since, a drawing for one, or whose sessions ran out, is not listed: without --data everybody is.",
        ]
    )

    let tenant: Slug
    let query: AffectedQuery

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        query = AffectedQuery(
            since: try words.required("--since"),
            until: try words.required("--until"),
            data: try words.optional("--data") ?? .account
        )
        guard query.since.time < query.until.time else { throw UsageError("--until is not after --since") }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<AffectedUserRow> {
        let rows = try await services.affectedUsers(query, of: tenant)
        var notes = rows.isEmpty ? ["Nobody."] : []
        if query.data != .account {
            notes.append(
                "Who had \(query.data.rawValue) then and has none left is not listed: without --data everybody is."
            )
        }
        return Listing(rows, notes: notes)
    }
}
