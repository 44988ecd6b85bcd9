import ChilCore

/// `chiladmin audit tail`
struct AuditTail: FollowingCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["audit", "tail"],
        summary: "show what is done in a tenant as it is done",
        examples: [
            .init("chiladmin audit tail chillin", "from now on, until Ctrl-C"),
            .init(
                "chiladmin audit tail chillin --since 1h --action account.* -o json",
                "a JSON object a line, for a program"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: AuditQuery.flags + [.flag("--for", "LENGTH", "end after so long, such as 60s (default: never)")],
        remarks: ["A row is shown once, in the order in which rows are seen; one that is committed late comes late."]
    )

    typealias Line = AuditEntryRow

    let tenant: Slug
    let query: AuditQuery
    let length: Lifetime?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        query = try AuditQuery(&words, hasEnd: false)
        length = try words.optional("--for")
    }

    func follow(
        _ services: any AdminServices,
        as presentation: Presentation,
        _ output: (String) throws(AdminFault) -> Bool
    ) async throws(AdminFault) {
        try await services.followAudit(query, for: length, of: tenant) { row throws(AdminFault) in
            try output(presentation.line(row))
        }
    }
}
