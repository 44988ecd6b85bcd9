import ChilCore

/// `chiladmin printer list`
struct PrinterList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["printer", "list"],
        summary: "a tenant's printers",
        examples: [.init("chiladmin printer list chillin", "names, addresses, which one is the default")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")]
    )

    let tenant: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        let printers = try await services.printers(of: tenant)
        let hint = "No printer: `chiladmin printer add \(tenant) --name NAME --uri URI` adds one."
        // What keeps pages from being printed until somebody decides.
        let warnings = printers.compactMap { printer -> String? in
            switch printer.certificate {
            case "changed":
                "Printer '\(printer.name)' shows another certificate than the one that was trusted, and gets nothing: "
                    + "see that it is the printer, then `chiladmin printer trust \(tenant) \(printer.name)`."
            case "expired":
                "The certificate of printer '\(printer.name)' is past its time, and it gets nothing: renew it there, or "
                    + "`chiladmin printer trust \(tenant) \(printer.name)`."
            default: nil
            }
        }
        return Listing(printers, notes: printers.isEmpty ? [hint] : warnings)
    }
}
