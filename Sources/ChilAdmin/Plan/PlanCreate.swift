/// `chiladmin plan create`
struct PlanCreate: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["plan", "create"],
        summary: "make a set of limits that tenants share",
        examples: [.init("chiladmin plan create basic", "without limits at first: `chiladmin plan set` adds them")],
        arguments: [.init(name: "PLAN", summary: "its name: small letters, digits, hyphens")]
    )

    let name: PlanName

    init(_ words: inout ArgumentReader) throws(UsageError) {
        name = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PlanRow> {
        Listing(one: try await services.createPlan(name))
    }
}
