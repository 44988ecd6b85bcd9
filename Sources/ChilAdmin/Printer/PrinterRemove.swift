import ChilCore

/// `chiladmin printer remove`
struct PrinterRemove: AdminCommand {
    static let guide = CommandGuide(
        path: ["printer", "remove"],
        summary: "take a printer from a tenant",
        examples: [.init("chiladmin printer remove chillin office", "jobs that wait for it are not printed")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "PRINTER", summary: "its name"),
        ]
    )

    let tenant: Slug
    let printer: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        printer = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        let removed = try await services.removePrinter(named: printer, from: tenant)
        let hint =
            "It was the default: until `chiladmin printer add \(tenant) --default …`, a print must name its printer."
        return Listing(one: removed, notes: ["Removed."] + (removed.isDefault ? [hint] : []))
    }
}
