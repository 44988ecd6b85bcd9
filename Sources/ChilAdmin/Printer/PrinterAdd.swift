import ChilCore
import ChilPrint
import ChilStore

/// `chiladmin printer add`
struct PrinterAdd: SecretCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["printer", "add"],
        summary: "give a tenant a printer",
        examples: [
            .init(
                "chiladmin printer add chillin --name office --uri ipp://192.168.1.20:631/ipp/print --default",
                "an IPP printer in the same network, for all its prints"
            ),
            .init(
                "chiladmin printer add chillin --name home --kind epson-v1 --address abc@print.epsonconnect.com "
                    + "--client-id ID --client-secret-file epson.secret",
                "a printer that Epson's service reaches: docs/epson.md"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--name", "NAME", "what it is called; one of a kind in the tenant"),
            .flag("--kind", "KIND", "what is spoken with it: ipp (default), epson-v1, epson-v2"),
            .flag("--uri", "URI", "ipp: where it listens, ipp:// or ipps://"),
            .toggle("--default", "prints that name no printer go here"),
            .flag("--discloses-to", "PARTY", "it is this party's service: pages for it leave the tenant's hands"),
        ] + EpsonPrinterDraft.flags,
        remarks: [
            "It is not asked whether it answers: `chiladmin printer test` does that.",
            "By Epson's service pages are disclosed to 'epson' if nobody else is named.",
            "Prints on a party's printer want a guardian's consent if the tenant asks for it: `chiladmin tenant consent`.",
        ]
    )

    let tenant: Slug
    private let draft: Draft

    private enum Draft: Sendable {
        case ipp(PrinterDraft)
        case epson(EpsonPrinterDraft)
    }

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        let name: DisplayName = try words.required("--name")
        let kind: PrinterRecord.Kind = try words.optional("--kind") ?? .ipp
        let isDefault = words.isSet("--default")
        let party: PartyName? = try words.optional("--discloses-to")
        switch kind {
        case .ipp:
            let uri: PrinterURI = try words.required("--uri")
            draft = .ipp(PrinterDraft(name: name, uri: uri, isDefault: isDefault, disclosedTo: party))
        case .epsonV1, .epsonV2:
            draft = .epson(
                try EpsonPrinterDraft(&words, kind, name: name, isDefault: isDefault, disclosedTo: party)
            )
        }
    }

    var questions: [SecretQuestion] {
        switch draft {
        case .ipp: []
        case .epson(let draft): draft.questions
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        switch draft {
        case .ipp(let draft): return Listing(one: try await services.addPrinter(draft, to: tenant))
        case .epson(let draft):
            let added = try await services.addEpsonPrinter(draft, to: tenant)
            let hint = "Its owner has to agree: `chiladmin printer authorize \(tenant) \(added.name)`."
            return Listing(one: added, notes: draft.kind == .epsonV2 ? [hint] : [])
        }
    }
}
