import ChilCore

/// `chiladmin consent list`
struct ConsentList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["consent", "list"],
        summary: "what a child's guardian has agreed to and taken back, newest first",
        examples: [
            .init("chiladmin consent list chillin 391234567890123", "by scope: the newest line of a scope holds")
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the child's number"),
        ],
        remarks: ["The newest 100; `chiladmin user export` has all."]
    )

    let tenant: Slug
    let user: UserNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ConsentRow> {
        let rows = try await services.consents(of: user, in: tenant)
        return Listing(rows, notes: rows.isEmpty ? ["Nothing was said."] : [])
    }
}
