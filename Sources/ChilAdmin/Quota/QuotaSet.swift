import ChilCore
import ChilStore

/// `chiladmin quota set`
struct QuotaSet: AdminCommand {
    static let guide = CommandGuide(
        path: ["quota", "set"],
        summary: "limit what a tenant uses",
        examples: [
            .init("chiladmin quota set chillin drawings 100000", "at most so many drawings kept"),
            .init("chiladmin quota set chillin print_jobs 200 --window day", "at most so many prints a day"),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "METRIC", summary: QuotaMetric.allCases.map(\.rawValue).joined(separator: ", ")),
            .init(name: "LIMIT", summary: "how many; 0 forbids"),
        ],
        flags: [.flag("--window", "none|minute|hour|day|month", "when use begins anew (default: none, a static cap)")],
        remarks: ["A limit below what is used already is legal: nothing is deleted, nothing more is taken."]
    )

    let tenant: Slug
    let draft: QuotaDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        draft = QuotaDraft(
            metric: try words.next(),
            limit: try words.next(),
            window: try words.optional("--window") ?? .none
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<QuotaRow> {
        Listing(one: try await services.setQuota(draft, of: tenant))
    }
}
