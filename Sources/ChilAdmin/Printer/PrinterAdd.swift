import ChilCore

/// `chiladmin printer add`
struct PrinterAdd: AdminCommand {
    static let guide = CommandGuide(
        path: ["printer", "add"],
        summary: "give a tenant a printer",
        examples: [
            .init(
                "chiladmin printer add chillin --name office --uri ipp://192.168.1.20:631/ipp/print --default",
                "an IPP printer in the same network, for all its prints"
            )
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--name", "NAME", "what it is called; one of a kind in the tenant"),
            .required("--uri", "URI", "where it listens: ipp:// or ipps://"),
            .toggle("--default", "prints that name no printer go here"),
            .flag("--discloses-to", "PARTY", "it is this party's service: pages for it leave the tenant's hands"),
        ],
        remarks: [
            "It is not asked whether it answers: `chiladmin printer test` does that.",
            "Prints on a party's printer want a guardian's consent if the tenant asks for it: `chiladmin tenant consent`.",
        ]
    )

    let tenant: Slug
    let draft: PrinterDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        draft = PrinterDraft(
            name: try words.required("--name"),
            uri: try words.required("--uri"),
            isDefault: words.isSet("--default"),
            disclosedTo: try words.optional("--discloses-to")
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        Listing(one: try await services.addPrinter(draft, to: tenant))
    }
}
