/// `chiladmin plan list`
struct PlanList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["plan", "list"],
        summary: "all plans, and how many tenants have each",
        examples: [.init("chiladmin plan list", "as a table")]
    )

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PlanRow> {
        let plans = try await services.plans()
        return Listing(plans, notes: plans.isEmpty ? ["No plan yet: `chiladmin plan create PLAN` makes one."] : [])
    }
}
