import ChilCore

/// `chiladmin tenant delete`
struct TenantDelete: SevereCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["tenant", "delete"],
        summary: "suspend a tenant now, and delete it with everything it has in seven days",
        examples: [
            .init(
                "chiladmin tenant delete chillin --confirm=chillin",
                "`tenant resume chillin` undoes it for seven days"
            ),
            .init(
                "chiladmin tenant delete chillin --now --confirm=chillin",
                "a suspended one, at once: users, drawings, images, keys, settings, audit, all of it"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .toggle("--now", "at once, if it is suspended: nothing brings it back"), .confirm("SLUG"),
        ],
        remarks: [
            "The services remove it when its time has come, a little at a time; `tenant list` shows when. --now wants it suspended before, so "
                + "that no request is under way.",
            "Tokens of identity providers are not revoked: delete the accounts before (`chiladmin user delete`) where that matters.",
            "That it was there is kept: its number, its slug, when, by whom.",
        ]
    )

    let slug: Slug
    let isNow: Bool
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        slug = try words.next()
        isNow = words.isSet("--now")
        confirmed = try words.optional("--confirm")
    }

    var word: String? { slug.description }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.tenant(slug, isNow: isNow))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantEndRow> {
        let row = isNow ? try await services.deleteTenant(slug) : try await services.scheduleEnd(of: slug)
        guard let end = row.purgeAt else { return Listing(one: row, notes: ["Deleted."]) }
        return Listing(
            one: row,
            notes: ["Suspended. It goes after \(end); until then `chiladmin tenant resume \(slug)` undoes it."]
        )
    }
}

/// What was deleted, or will be.
struct TenantEndRow: ListingRow, Equatable {
    let slug: String
    /// Nothing: they are there still.
    let rowCount: Int64?
    var purgeAt: String?

    static let columns: [Column<Self>] = [
        Column("slug") { .text($0.slug) },
        Column("rows") { $0.rowCount.map { .number($0) } ?? .none },
        Column("purgeAt") { .optional($0.purgeAt) },
    ]
}
