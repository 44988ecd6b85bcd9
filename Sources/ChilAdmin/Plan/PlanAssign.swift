import ChilCore

/// `chiladmin plan assign`
struct PlanAssign: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["plan", "assign"],
        summary: "give a tenant a plan",
        examples: [
            .init("chiladmin plan assign chillin basic", "its limits are the plan's, but for its own"),
            .init("chiladmin plan assign chillin none", "only its own limits are left"),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "PLAN", summary: "the plan's name, or none"),
        ],
        remarks: ["What is used already counts: a plan below it deletes nothing, and nothing more is taken."]
    )

    let tenant: Slug
    let choice: PlanChoice

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        choice = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<QuotaRow> {
        Listing(try await services.assignPlan(choice, to: tenant))
    }
}
