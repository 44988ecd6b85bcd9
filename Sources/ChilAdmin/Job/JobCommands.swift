import ChilCore
import ChilPrint
import ChilStore

/// `chiladmin job list`
struct JobList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["job", "list"],
        summary: "a tenant's prints, the newest first",
        examples: [
            .init("chiladmin job list chillin --state outcomeUnknown", "those that wait for somebody who looks"),
            .init("chiladmin job list chillin --printer office --limit 20", "what went to that printer"),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .flag("--state", "STATE", "those in this state alone"),
            .flag("--printer", "PRINTER", "those of this printer alone"),
            .flag("--limit", "COUNT", "at most so many (default 50)"),
        ]
    )

    let tenant: Slug
    let query: JobQuery

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        query = JobQuery(
            state: try words.optional("--state"),
            printer: try words.optional("--printer"),
            countMax: (try words.optional("--limit") as JobQuery.Count?)?.count ?? 50
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<JobRow> {
        Listing(try await services.jobs(query, of: tenant))
    }
}

/// `chiladmin job show`
struct JobShow: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["job", "show"],
        summary: "one print with its history",
        examples: [.init("chiladmin job show chillin 391234567890123", "what it is at, and how it came there")],
        arguments: JobWords.arguments
    )

    let words: JobWords

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try JobWords(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<JobDetailRow> {
        Listing(one: try await services.job(words.job, of: words.tenant))
    }
}

/// `chiladmin job cancel`
struct JobCancel: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["job", "cancel"],
        summary: "cancel a print, whatever it is at",
        examples: [.init("chiladmin job cancel chillin 391234567890123", "the printer is asked to drop what it has")],
        arguments: JobWords.arguments,
        remarks: ["A page that comes out already is let out: `chiladmin job watch` shows how it ends."]
    )

    let words: JobWords

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try JobWords(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<JobDetailRow> {
        Listing(one: try await services.cancelJob(words.job, of: words.tenant))
    }
}

/// `chiladmin job retry`
struct JobRetry: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["job", "retry"],
        summary: "begin a print again that has failed, was canceled or has expired, or whose outcome nobody knows",
        examples: [.init("chiladmin job retry chillin 391234567890123", "it counts as a new print")],
        arguments: JobWords.arguments,
        remarks: ["Look at the printer first where nobody knows: it may lie there."]
    )

    let words: JobWords

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try JobWords(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<JobDetailRow> {
        Listing(one: try await services.retryJob(words.job, of: words.tenant))
    }
}

/// `chiladmin job resolve`
struct JobResolve: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["job", "resolve"],
        summary: "say what became of a print in the state outcomeUnknown",
        examples: [
            .init("chiladmin job resolve chillin 391234567890123 printed", "it lies there: completed"),
            .init(
                "chiladmin job resolve chillin 391234567890123 not-printed",
                "nothing came out: failed; retry it then"
            ),
        ],
        arguments: JobWords.arguments + [.init(name: "OUTCOME", summary: "printed or not-printed")]
    )

    let words: JobWords
    let outcome: JobOutcome

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try JobWords(&words)
        outcome = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<JobDetailRow> {
        Listing(one: try await services.resolveJob(words.job, of: words.tenant, as: outcome))
    }
}

/// `chiladmin job watch`
struct JobWatch: FollowingCommand {
    typealias Line = JobEventRow

    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["job", "watch"],
        summary: "show what becomes of a print, until it has ended",
        examples: [.init("chiladmin job watch chillin 391234567890123", "a line for each change")],
        arguments: JobWords.arguments
    )

    let words: JobWords

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try JobWords(&words)
    }

    func follow(
        _ services: any AdminServices,
        as presentation: Presentation,
        _ output: (String) throws(AdminFault) -> Bool
    ) async throws(AdminFault) {
        try await services.watchJob(words.job, of: words.tenant) { row throws(AdminFault) in
            try output(presentation.line(row))
        }
    }
}

/// The words that name a print.
struct JobWords: Equatable {
    static let arguments: [CommandGuide.Argument] = [
        .init(name: "TENANT", summary: "the tenant's slug"),
        .init(name: "JOB", summary: "the print's number"),
    ]

    let tenant: Slug
    let job: JobNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        job = try words.next()
    }
}
