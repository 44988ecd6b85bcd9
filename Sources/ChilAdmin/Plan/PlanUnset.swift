import ChilStore

/// `chiladmin plan unset`
struct PlanUnset: AdminCommand {
    static let effect = Effect.writesInSteps
    static let guide = CommandGuide(
        path: ["plan", "unset"],
        summary: "take a limit out of a plan, and from all tenants that have it by the plan",
        examples: [.init("chiladmin plan unset basic drawings", "its tenants keep as many as they like")],
        arguments: [.init(name: "PLAN", summary: "its name"), CommandGuide.metricArgument],
        flags: CommandGuide.keyFlags
    )

    let name: PlanName
    let key: QuotaKey

    init(_ words: inout ArgumentReader) throws(UsageError) {
        name = try words.next()
        key = try QuotaKey(try words.next(), &words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PlanQuotaRow> {
        let answer = try await services.unsetLimit(key, of: name)
        return Listing(answer.limits, notes: ["Changed \(answer.tenantsChanged) tenants."])
    }
}
