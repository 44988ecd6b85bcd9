/// `chiladmin plan remove`
struct PlanRemove: SevereCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["plan", "remove"],
        summary: "remove a plan that no tenant has",
        examples: [.init("chiladmin plan remove basic", "its limits go with it")],
        arguments: [.init(name: "PLAN", summary: "its name")],
        flags: [.confirm("PLAN")]
    )

    let name: PlanName
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        name = try words.next()
        confirmed = try words.optional("--confirm")
    }

    var word: String? { name.text }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.plan(name))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PlanRow> {
        try await services.removePlan(name)
        return .silent(notes: ["Removed."])
    }
}
