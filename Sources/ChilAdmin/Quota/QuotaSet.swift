import ChilCore
import ChilStore

/// `chiladmin quota set`
struct QuotaSet: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["quota", "set"],
        summary: "limit what a tenant uses",
        examples: [
            .init("chiladmin quota set chillin drawings 100000", "at most so many drawings kept"),
            .init("chiladmin quota set chillin print_jobs 200 --window day", "at most so many prints a day"),
            .init(
                "chiladmin quota set chillin printed_pages 20 --scope user --window day --soft 15",
                "each user so many pages a day, told at 15"
            ),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"), CommandGuide.metricArgument,
            CommandGuide.limitArgument,
        ],
        flags: CommandGuide.keyFlags + CommandGuide.termsFlags,
        remarks: CommandGuide.quotaRemarks + [
            "A limit below what is used already is legal: nothing is deleted, nothing more is taken.",
            "It wins over the same limit of the tenant's plan, until `chiladmin quota unset`.",
        ]
    )

    let tenant: Slug
    let draft: QuotaDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        draft = try QuotaDraft(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<QuotaRow> {
        Listing(one: try await services.setQuota(draft, of: tenant))
    }
}
