/// `chiladmin tenant list`
struct TenantList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["tenant", "list"],
        summary: "all tenants, by slug",
        examples: [
            .init("chiladmin tenant list", "as a table"),
            .init("chiladmin tenant list -o json", "with all members, for a program"),
        ]
    )

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantRow> {
        let tenants = try await services.tenants()
        return Listing(
            tenants,
            notes: tenants.isEmpty ? ["No tenant yet: `chiladmin tenant create SLUG` makes one."] : []
        )
    }
}
