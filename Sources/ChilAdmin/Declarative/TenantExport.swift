import ChilCore

/// `chiladmin tenant export`
struct TenantExport: FollowingCommand {
    /// A file is no rows.
    typealias Line = NoRow

    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["tenant", "export"],
        summary: "what is set for a tenant, as a file for `tenant apply`",
        examples: [
            .init("chiladmin tenant export chillin > chillin.json", "members sorted: the same tenant, the same file")
        ],
        arguments: [.init(name: "SLUG", summary: "the tenant")],
        remarks: ["No secrets, no users, no drawings: `user export` and backups are for those."]
    )

    let slug: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        slug = try words.next()
    }

    func follow(
        _ services: any AdminServices,
        as presentation: Presentation,
        _ output: (String) throws(AdminFault) -> Bool
    ) async throws(AdminFault) {
        _ = try output(try await TenantSnapshot(of: slug, services).file.text)
    }
}
