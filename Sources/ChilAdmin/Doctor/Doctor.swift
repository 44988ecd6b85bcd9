/// `chiladmin doctor`
struct Doctor: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["doctor"],
        summary: "whether all is well, and what to do where it is not",
        examples: [
            .init("chiladmin doctor", "every check, a line each; exit status 1 if one fails"),
            .init("chiladmin doctor --only migrations --only keys -o json", "some of them, for a monitor"),
        ],
        flags: [
            .flag(
                "--only",
                "CHECK",
                repeats: true,
                "this check: \(DoctorCheck.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        ],
        remarks: [
            "Nothing is changed. Beside the database it asks CHIL_PUBLIC_URL for its certificate and providers for their keys, five seconds each;",
            "`printer test`, `client check`, `generator test` and `webhook test` ask the others.",
            "All checks run, whatever fails. Each statement has seconds, all of it \(DoctorCheck.secondsMax): of very many tenants the rest is said to be left.",
        ]
    )

    let checks: [DoctorCheck]

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let only: [DoctorCheck] = try words.all("--only")
        checks = only.isEmpty ? DoctorCheck.allCases : DoctorCheck.allCases.filter(only.contains)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<DoctorRow> {
        let rows = await services.examine(checks)
        let failed = rows.count { $0.state == .fail }, warned = rows.count { $0.state == .warn }
        let note =
            failed + warned == 0
            ? "All is well." : "\(failed) of \(rows.count) checks failed, \(warned) want a look."
        return Listing(rows, notes: [note], status: failed == 0 ? .success : .failed)
    }
}

/// What is looked at.
enum DoctorCheck: String, ArgumentChoice, Sendable {
    case database, role, migrations, clock, services, keyfile, keys, clients, printers, certificates, generators,
        webhooks, jobs
    case quotas, audit, sweeps, disk, backups
    case tls, providers, wal

    /// For all of them together.
    static let secondsMax: Int64 = 60
}

struct DoctorRow: ListingRow, Equatable {
    enum State: String, Sendable { case ok, warn, fail }

    let check: DoctorCheck
    let state: State
    let finding: String
    /// What to do next; nothing where all is well.
    var remedy: String?

    static let columns: [Column<Self>] = [
        Column("check") { .text($0.check.rawValue) },
        Column("state") { .text($0.state.rawValue) },
        Column("finding") { .text($0.finding) },
        Column("remedy") { .optional($0.remedy) },
    ]
}

/// What `doctor` needs.
protocol DoctorServices {
    /// A line for each of them, whatever fails.
    func examine(_ checks: [DoctorCheck]) async -> [DoctorRow]
}
