import ChilCore

/// `chiladmin tenant delete`
struct TenantDelete: SevereCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["tenant", "delete"],
        summary: "delete a suspended tenant with everything it has",
        examples: [
            .init(
                "chiladmin tenant delete chillin --confirm=chillin",
                "users, drawings, images, keys, settings, audit: all of it"
            )
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [.confirm("SLUG")],
        remarks: [
            "Suspend it first, so that no request is under way. Tokens of identity providers are not revoked: delete the accounts before "
                + "(`chiladmin user delete`) where that matters.",
            "That it was there is kept: its number, its slug, when, by whom.",
        ]
    )

    let slug: Slug
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        slug = try words.next()
        confirmed = try words.optional("--confirm")
    }

    var word: String? { slug.description }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.tenant(slug))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantEndRow> {
        Listing(one: try await services.deleteTenant(slug), notes: ["Deleted."])
    }
}

/// What was deleted.
struct TenantEndRow: ListingRow, Equatable {
    let slug: String
    let rowCount: Int64

    static let columns: [Column<Self>] = [
        Column("slug") { .text($0.slug) },
        Column("rows") { .number($0.rowCount) },
    ]
}
