import ChilCore
import ChilStore

/// `chiladmin quota unset`
struct QuotaUnset: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["quota", "unset"],
        summary: "take a limit from a tenant; its plan's holds again",
        examples: [.init("chiladmin quota unset chillin print_jobs --window day", "as the plan has it, or no limit")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug"), CommandGuide.metricArgument],
        flags: CommandGuide.keyFlags
    )

    let tenant: Slug
    let key: QuotaKey

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        key = try QuotaKey(try words.next(), &words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<QuotaRow> {
        let outcome = try await services.unsetQuota(key, of: tenant)
        let quotas = try await services.quotas(of: tenant)
        switch outcome {
        case .removed: return Listing(quotas, notes: ["There is no such limit any more."])
        case .planHolds: return Listing(quotas, notes: ["The plan's limit holds again."])
        case .isOfPlan:
            throw AdminFault(
                .dataRefused,
                "this limit is the plan's",
                remedy: "Set another for this tenant (quota set), or change the plan (plan set, plan assign)."
            )
        case .missing:
            throw AdminFault(
                .notFound,
                "tenant '\(tenant)' has no limit \(key)",
                remedy: "`chiladmin quota list \(tenant)` shows its limits, with scope and window."
            )
        }
    }
}
