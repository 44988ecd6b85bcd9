/// `chiladmin plan show`
struct PlanShow: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["plan", "show"],
        summary: "a plan's limits",
        examples: [.init("chiladmin plan show basic", "limits by metric, scope and window")],
        arguments: [.init(name: "PLAN", summary: "its name")]
    )

    let name: PlanName

    init(_ words: inout ArgumentReader) throws(UsageError) {
        name = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PlanQuotaRow> {
        let limits = try await services.limits(of: name)
        return Listing(limits, notes: limits.isEmpty ? ["It limits nothing: `chiladmin plan set` adds limits."] : [])
    }
}
