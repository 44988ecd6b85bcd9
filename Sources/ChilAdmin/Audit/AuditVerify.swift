import ChilCore

/// `chiladmin audit verify`
struct AuditVerify: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["audit", "verify"],
        summary: "compute the chain of the audit anew: was a row changed, removed or added?",
        examples: [
            .init("chiladmin audit verify", "all tenants; exit status 1 when something is wrong"),
            .init(
                "chiladmin audit verify --tenant chillin --expect 1042:9f86…0f00",
                "and whether it still holds what it held then"
            ),
            .init("chiladmin audit verify --file chillin.ndjson", "an export, without a database"),
        ],
        flags: [
            .flag("--tenant", "TENANT", "this tenant alone"),
            .flag("--expect", "SEQUENCE:DIGEST", "a head that was kept elsewhere: with --tenant or --file"),
            .flag("--file", "FILE", "verify an export instead of the database"),
        ],
        remarks: [
            "Keep the head that it tells somewhere else, and give it with --expect the next time: who owns the database can compute a",
            "whole chain anew, but not one with a head that you have.",
            "A row that is not sealed after a minute is a finding too: chilapi seals, and one has to run.",
        ]
    )

    let tenant: Slug?
    let kept: KeptHead?
    let path: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.optional("--tenant")
        kept = try words.optional("--expect")
        path = try words.optional("--file")
        guard tenant == nil || path == nil else {
            throw UsageError("--tenant and --file exclude each other", hint: "Give one of them.")
        }
        guard kept == nil || tenant != nil || path != nil else {
            throw UsageError(
                "--tenant is missing",
                hint: "A head is of one tenant: give --tenant or --file with --expect."
            )
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<AuditReportRow> {
        let reports: [AuditReportRow]
        if let path {
            reports = [try services.verifyAuditFile(path, keeping: kept)]
        } else {
            reports = try await services.verifyAudit(of: tenant, keeping: kept)
        }
        let isSound = reports.allSatisfy { $0.findingCount == 0 }
        let notes = reports.flatMap { report in report.findings.map { "\(report.tenant): \($0)" } }
        return Listing(reports, notes: notes, status: isSound ? .success : .failed)
    }
}

/// What a verification found.
struct AuditReportRow: ListingRow, Equatable {
    let tenant: String
    let rows: Int64
    /// `SEQUENCE:DIGEST`, to be kept.
    let head: String
    let findingCount: Int64
    /// The first of them.
    let findings: [String]

    static let columns: [Column<Self>] = [
        Column("tenant") { .text($0.tenant) },
        Column("rows") { .number($0.rows) },
        Column("findingCount") { .number($0.findingCount) },
        Column("head") { .text($0.head) },
        Column("findings", listed: false) { .list($0.findings) },
    ]
}
