import ChilCore

/// `chiladmin user export`
struct UserExport: AdminCommand {
    static let effect = Effect.reachesOut("it writes a file; `user show` shows whose")
    static let guide = CommandGuide(
        path: ["user", "export"],
        summary: "write all that is kept of a person into a ZIP",
        examples: [
            .init(
                "chiladmin user export chillin 391234567890123 --out ann.zip",
                "for a person who asked for it by letter"
            )
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the user's number"),
        ],
        flags: [.required("--out", "FILE", "where to; mode 0600, replaced if it is there")],
        remarks: ["JSON and the images as they were given: the same archive as the person gets from `GET me/export`."]
    )

    let tenant: Slug
    let user: UserNumber
    let path: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
        path = try words.required("--out")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<UserExportRow> {
        Listing(one: try await services.exportUser(user, of: tenant, to: path))
    }
}

/// The archive that was written.
struct UserExportRow: ListingRow, Equatable {
    let path: String
    let bytes: Int64
    /// Files in it.
    let entries: Int64

    static let columns: [Column<Self>] = [
        Column("path") { .text($0.path) },
        Column("bytes") { .number($0.bytes) },
        Column("entries") { .number($0.entries) },
    ]
}
