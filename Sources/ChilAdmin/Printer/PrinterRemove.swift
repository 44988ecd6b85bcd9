import ChilCore

/// `chiladmin printer remove`
struct PrinterRemove: SevereCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["printer", "remove"],
        summary: "take a printer from a tenant",
        examples: [
            .init("chiladmin printer remove chillin office", "refused while prints wait there"),
            .init("chiladmin printer remove chillin office --move-to hall", "what no printer has yet goes to the hall"),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "PRINTER", summary: "its name"),
        ],
        flags: PrinterRemoval.flags("the tenant's") + [.confirm("SLUG")]
    )

    let tenant: Slug
    let printer: String
    let removal: PrinterRemoval
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        printer = try words.next()
        removal = try PrinterRemoval(&words)
        confirmed = try words.optional("--confirm")
    }

    var word: String? { removal == .cancel ? tenant.description : nil }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.printer(printer, tenant))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        let removed = try await services.removePrinter(named: printer, from: tenant, removal)
        let hint =
            "It was the default: until `chiladmin printer default \(tenant) PRINTER`, a print must name its printer."
        return Listing(one: removed, notes: ["Removed."] + (removed.isDefault ? [hint] : []))
    }
}
