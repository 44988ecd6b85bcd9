/// `chiladmin plan remove`
struct PlanRemove: AdminCommand {
    static let guide = CommandGuide(
        path: ["plan", "remove"],
        summary: "remove a plan that no tenant has",
        examples: [.init("chiladmin plan remove basic", "its limits go with it")],
        arguments: [.init(name: "PLAN", summary: "its name")]
    )

    let name: PlanName

    init(_ words: inout ArgumentReader) throws(UsageError) {
        name = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PlanRow> {
        try await services.removePlan(name)
        return .silent(notes: ["Removed."])
    }
}
