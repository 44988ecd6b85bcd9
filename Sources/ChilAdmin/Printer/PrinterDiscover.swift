import ChilCore

/// `chiladmin printer discover`
struct PrinterDiscover: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["printer", "discover"],
        summary: "look for IPP printers in this machine's network",
        examples: [.init("chiladmin printer discover", "names, addresses for `printer add`, and what they print")],
        remarks: [
            "Printers announce themselves by DNS-SD; they are asked for by avahi-browse, of the package avahi-utils.",
            "Only printers of the same network segment are seen; others are added by their address.",
        ]
    )

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<FoundPrinterRow> {
        let found = try await services.discoverPrinters()
        let hint = "No printer announces itself here: add one by its address, `chiladmin printer add`."
        return Listing(found, notes: found.isEmpty ? [hint] : [])
    }
}

/// A printer that announces itself.
struct FoundPrinterRow: ListingRow, Equatable {
    let name: String
    let uri: String
    let model: String?
    let host: String
    let formats: [String]
    let isColor: Bool?
    let uuid: String?

    static let nameKey = "uri"
    static let columns: [Column<Self>] = [
        Column("name") { .text($0.name) },
        Column("uri") { .text($0.uri) },
        Column("model") { .optional($0.model) },
        Column("host") { .text($0.host) },
        Column("color") { $0.isColor.map { .flag($0) } ?? .none },
        Column("formats") { .list($0.formats) },
        Column("uuid", listed: false) { .optional($0.uuid) },
    ]
}
