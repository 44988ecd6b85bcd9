import ChilCore
import ChilStore

/// `chiladmin limit set`
struct LimitSet: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["limit", "set"],
        summary: "say how many requests may come in a while",
        examples: [
            .init("chiladmin limit set chillin user print 10", "a person prints ten times a minute at most"),
            .init(
                "chiladmin limit set chillin tenant read 500000 --per 60",
                "so many reads a minute of all its people"
            ),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "SCOPE", summary: "whose requests count together: address, tenant, user, all"),
            .init(name: "CLASS", summary: "which requests: auth, read, write, print, all"),
            .init(name: "COUNT", summary: "how many"),
        ],
        flags: [.flag("--per", "SECONDS", "in how many seconds (default: 60)")],
        remarks: ["Running services go by it within a second. An address is an IPv4 one, or the /64 of an IPv6 one."]
    )

    let tenant: Slug
    let choice: LimitChoice
    let rule: RateRule

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        choice = LimitChoice(scopes: try words.next(), classes: try words.next())
        let count: RequestCount = try words.next()
        let window: RateWindow = try words.optional("--per") ?? .usual
        rule = RateRule(quota: count.count, window: window.seconds)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<LimitRow> {
        Listing(try await services.setLimits(choice, to: rule, of: tenant))
    }
}

/// `chiladmin limit unset`
struct LimitUnset: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["limit", "unset"],
        summary: "go back to the default",
        examples: [.init("chiladmin limit unset chillin all all", "every rule as it comes")],
        arguments: LimitSet.guide.arguments.dropLast()
    )

    let tenant: Slug
    let choice: LimitChoice

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        choice = LimitChoice(scopes: try words.next(), classes: try words.next())
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<LimitRow> {
        Listing(try await services.unsetLimits(choice, of: tenant))
    }
}

/// `chiladmin limit list`
struct LimitList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["limit", "list"],
        summary: "a tenant's rate limits, its own and the defaults",
        examples: [.init("chiladmin limit list chillin", "twelve rules, by scope and class")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")]
    )

    let tenant: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<LimitRow> {
        Listing(try await services.limits(of: tenant))
    }
}
