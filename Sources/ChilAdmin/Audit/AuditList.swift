import ChilCore

/// `chiladmin audit list`
struct AuditList: AdminCommand {
    private static let countMax: Int64 = 1_000
    private static let countDefault: Int64 = 50

    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["audit", "list"],
        summary: "who did what in a tenant, newest first",
        examples: [
            .init("chiladmin audit list chillin", "the newest 50"),
            .init("chiladmin audit list chillin --action session.* --since 2h", "what became of sessions lately"),
            .init(
                "chiladmin audit list chillin --actor ann --since 2026-11-01 --until 2026-12-01",
                "what ann did in November"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: AuditQuery.flags + [
            AuditQuery.untilFlag,
            .flag("--before", "CURSOR", "only those before this one: the next page"),
            .flag("--limit", "N", "at most so many, up to \(countMax) (default: \(countDefault))"),
        ],
        remarks: ["`-o json` has all of a row: request id, number, when it was recorded, and its cursor."]
    )

    let tenant: Slug
    let query: AuditQuery
    let before: AuditCursor?
    let count: Int

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        query = try AuditQuery(&words, hasEnd: true)
        before = try words.optional("--before")
        let count: Int64 = try words.optional("--limit") ?? Self.countDefault
        guard (1...Self.countMax).contains(count) else {
            throw UsageError("--limit: not a whole number from 1 to \(Self.countMax)")
        }
        self.count = Int(count)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<AuditEntryRow> {
        let rows = try await services.audit(query, before: before, countMax: count, of: tenant)
        guard let last = rows.last, rows.count == count else { return Listing(rows) }
        return Listing(rows, notes: ["There may be more: add --before \(last.cursor)."])
    }
}
