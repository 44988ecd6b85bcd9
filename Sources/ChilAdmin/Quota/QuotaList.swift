import ChilCore

/// `chiladmin quota list`
struct QuotaList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["quota", "list"],
        summary: "a tenant's limits and what is used of them",
        examples: [
            .init("chiladmin quota list chillin", "used and limit, by metric"),
            .init(
                "chiladmin quota list chillin --user 391234567890123 --printer office",
                "what that user and that printer have used too"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .flag("--user", "USER", "show this user's use where each user has a count (the user's number)"),
            .flag("--printer", "PRINTER", "show this printer's use where each printer has a count (its name)"),
        ]
    )

    let tenant: Slug
    let subject: QuotaSubject

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        subject = try QuotaSubject(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<QuotaRow> {
        let quotas = try await services.quotas(of: tenant, for: subject)
        return Listing(quotas, notes: quotas.isEmpty ? ["No limit is set: nothing is refused for its amount."] : [])
    }
}
