/// `chiladmin plan set`
struct PlanSet: AdminCommand {
    static let effect = Effect.writesInSteps
    static let guide = CommandGuide(
        path: ["plan", "set"],
        summary: "set a limit of a plan, and of all tenants that have the plan",
        examples: [
            .init("chiladmin plan set basic drawings 1000", "at most so many drawings kept, in each tenant"),
            .init("chiladmin plan set basic printed_pages 20 --scope user --window day", "each user so many a day"),
        ],
        arguments: [
            .init(name: "PLAN", summary: "its name"), CommandGuide.metricArgument, CommandGuide.limitArgument,
        ],
        flags: CommandGuide.keyFlags + CommandGuide.termsFlags,
        remarks: CommandGuide.quotaRemarks + [
            "A tenant's own limit (`chiladmin quota set`) wins and stays.",
            "Interrupted, it is run again: tenants that have the limit already are left alone.",
        ]
    )

    let name: PlanName
    let draft: QuotaDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        name = try words.next()
        draft = try QuotaDraft(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PlanQuotaRow> {
        let answer = try await services.setLimit(draft, of: name)
        return Listing(answer.limits, notes: ["Changed \(answer.tenantsChanged) tenants."])
    }
}
