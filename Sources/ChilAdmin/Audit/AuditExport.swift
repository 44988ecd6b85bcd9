import ChilCore

/// `chiladmin audit export`
struct AuditExport: AdminCommand {
    static let effect = Effect.reachesOut("it writes a file and changes nothing else")
    static let guide = CommandGuide(
        path: ["audit", "export"],
        summary: "write a tenant's sealed audit into a file that can be verified by itself",
        examples: [
            .init("chiladmin audit export chillin --out chillin.ndjson", "all that is sealed, a JSON object a line"),
            .init("chiladmin audit export chillin --after 1042 --out more.ndjson", "what came since"),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--out", "FILE", "where to; mode 0600, replaced if it is there"),
            .flag("--after", "SEQUENCE", "only rows behind this place in the chain"),
        ],
        remarks: [
            "Addresses are left out: they have their time, a file has none. `chiladmin audit verify --file FILE` checks it, the format is in",
            "docs/audit.md.",
        ]
    )

    let tenant: Slug
    let path: String
    let after: Int64?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        path = try words.required("--out")
        after = try words.optional("--after")
        guard after ?? 0 >= 0 else { throw UsageError("--after: not a place in the chain: a whole number from 0 on") }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<AuditExportRow> {
        Listing(one: try await services.exportAudit(of: tenant, after: after, to: path))
    }
}

/// The file that was written.
struct AuditExportRow: ListingRow, Equatable {
    let path: String
    let rows: Int64
    let head: String

    static let columns: [Column<Self>] = [
        Column("path") { .text($0.path) },
        Column("rows") { .number($0.rows) },
        Column("head") { .text($0.head) },
    ]
}
