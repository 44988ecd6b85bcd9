import ChilCore

/// `chiladmin printer test`
struct PrinterTest: AdminCommand {
    static let effect = Effect.reachesOut("it asks the printer, and with --page it prints")
    static let guide = CommandGuide(
        path: ["printer", "test"],
        summary: "ask a printer for its state, formats, paper and certificate; with --page, print a page",
        examples: [
            .init("chiladmin printer test chillin office", "exit status 1 when it does not answer"),
            .init("chiladmin printer test chillin office --page", "one page: its frame, its sizes, its names"),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "PRINTER", summary: "its name"),
        ],
        flags: [.toggle("--page", "print a test page and wait, two minutes at most, for what becomes of it")],
        remarks: [
            "It is asked from this machine; chilapi may stand elsewhere.",
            "Nothing is printed without --page. A page that is not over after two minutes is canceled.",
        ]
    )

    let tenant: Slug
    let printer: String
    let printsPage: Bool

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        printer = try words.next()
        printsPage = words.isSet("--page")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterReport> {
        let report = try await services.testPrinter(named: printer, of: tenant)
        guard printsPage else { return Listing(one: report) }
        return Listing(one: report, notes: [try await services.printTestPage(onPrinterNamed: printer, of: tenant)])
    }
}
