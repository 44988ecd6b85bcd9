import ChilCore
import ChilStore

/// `chiladmin retention list`
struct RetentionList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["retention", "list"],
        summary: "for how long a tenant keeps what, class by class",
        examples: [.init("chiladmin retention list chillin", "what everybody can read at GET retention too")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")]
    )

    let tenant: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<RetentionRow> {
        Listing(try await services.retention(of: tenant))
    }
}

/// `chiladmin retention set`
struct RetentionSetDays: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["retention", "set"],
        summary: "set for how long a tenant keeps a class",
        examples: [
            .init("chiladmin retention set chillin drawings.generated 90", "gone 90 days after they were made"),
            .init("chiladmin retention set chillin drawings.scanned forever", "kept until somebody deletes them"),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "CLASS", summary: RetentionClass.allCases.map(\.rawValue).joined(separator: ", ")),
            .init(name: "DAYS|forever", summary: "1 to \(RetentionSet.daysMax), or forever"),
        ],
        remarks: [
            "A shorter time holds for what is there already: running services remove it within the hour, and nothing brings it back.",
            "`chiladmin user hold` keeps what is of one person.",
        ]
    )

    let tenant: Slug
    let kind: RetentionClass
    let limit: RetentionLimit

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        kind = try words.next()
        limit = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<RetentionRow> {
        Listing(try await services.setRetention(kind, to: limit, of: tenant))
    }
}

/// `chiladmin retention unset`
struct RetentionUnsetDays: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["retention", "unset"],
        summary: "keep a class for as long as is usual again",
        examples: [
            .init("chiladmin retention unset chillin drawings.scanned", "the default holds: retention list shows it")
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "CLASS", summary: RetentionClass.allCases.map(\.rawValue).joined(separator: ", ")),
        ]
    )

    let tenant: Slug
    let kind: RetentionClass

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        kind = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<RetentionRow> {
        Listing(try await services.setRetention(kind, to: nil, of: tenant))
    }
}
