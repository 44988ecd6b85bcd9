import ChilCore

/// `chiladmin printer test`
struct PrinterTest: AdminCommand {
    static let guide = CommandGuide(
        path: ["printer", "test"],
        summary: "ask a printer for its state, formats and paper; nothing is printed",
        examples: [.init("chiladmin printer test chillin office", "exit status 1 when it does not answer")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "PRINTER", summary: "its name"),
        ],
        remarks: ["It is asked from this machine; chilapi may stand elsewhere."]
    )

    let tenant: Slug
    let printer: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        printer = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterReport> {
        Listing(one: try await services.testPrinter(named: printer, of: tenant))
    }
}
