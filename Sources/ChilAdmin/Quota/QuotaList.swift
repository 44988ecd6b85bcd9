import ChilCore

/// `chiladmin quota list`
struct QuotaList: AdminCommand {
    static let guide = CommandGuide(
        path: ["quota", "list"],
        summary: "a tenant's limits and what is used of them",
        examples: [.init("chiladmin quota list chillin", "used and limit, by metric")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")]
    )

    let tenant: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<QuotaRow> {
        let quotas = try await services.quotas(of: tenant)
        return Listing(quotas, notes: quotas.isEmpty ? ["No limit is set: nothing is refused for its amount."] : [])
    }
}
