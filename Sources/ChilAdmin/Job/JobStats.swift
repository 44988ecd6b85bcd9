import ChilCore

/// `chiladmin job stats`
struct JobStats: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["job", "stats"],
        summary: "what became of prints, why, and how long they took",
        examples: [
            .init(
                "chiladmin job stats chillin",
                "a tenant's, by printer: all that have not ended, and what ended within a day"
            ),
            .init("chiladmin job stats --since 7d", "of all tenants, by outcome"),
            .init("chiladmin job stats --by tenant -o json", "for whoever watches queues"),
        ],
        flags: [
            .flag("--tenant", "SLUG", "of this tenant alone; it may stand without the flag"),
            .flag("--printer", "PRINTER", "at printers of this name alone"),
            .flag("--since", "TIME", "what ended then or later: a moment, a day, or a length ago (default 24h)"),
            .flag(
                "--by",
                "outcome|printer|tenant",
                "how they are brought together (default: printer of one tenant, else outcome)"
            ),
        ],
        remarks: [
            "Times are milliseconds: in the queue, until its printer was asked to take it (of those that wait, until now); and from then until",
            "it was printed. The median, and what 95 % did not exceed. Asked for more than 30 days before --since: not counted. Of each",
            "tenant the newest 100000 are.",
        ]
    )

    let query: JobStatsQuery

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let placed: Slug? = try words.optionalNext()
        let flagged: Slug? = try words.optional("--tenant")
        if placed != nil, flagged != nil {
            throw UsageError("the tenant is given twice", hint: "Give it with --tenant or without.")
        }
        let tenant = placed ?? flagged
        query = JobStatsQuery(
            tenant: tenant,
            printer: try words.optional("--printer"),
            since: try words.optional("--since"),
            grouping: try words.optional("--by") ?? (tenant == nil ? .outcome : .printer)
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<JobCountRow> {
        let (rows, lag) = try await services.jobFigures(query)
        let seconds = lag.seconds.map { ", the oldest for \($0) s" } ?? ""
        return Listing(rows, notes: ["\(lag.due) are due in the queue\(seconds)."])
    }
}
