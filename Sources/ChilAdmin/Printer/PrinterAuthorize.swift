import ChilCore

/// `chiladmin printer authorize`
struct PrinterAuthorize: AdminCommand {
    static let effect = Effect.reachesOut("it takes a code at Epson Connect, which is good once")
    static let guide = CommandGuide(
        path: ["printer", "authorize"],
        summary: "get the permission of a printer's owner to print by Epson Connect",
        examples: [
            .init(
                "chiladmin printer authorize chillin living-room",
                "shows an address to open in a browser, and waits until its owner has agreed"
            ),
            .init(
                "chiladmin printer authorize chillin living-room --code CODE",
                "with the code that stands in the browser's address line, where it could not be waited for"
            ),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "PRINTER", summary: "its name; it is of the kind epson-v2"),
        ],
        flags: [
            .flag("--redirect-uri", "URL", "as it is registered at Epson (default: \(EpsonPermission.usualRedirect))"),
            .flag("--wait", "LENGTH", "for how long its owner is waited for (default: 10m)"),
            .flag("--code", "CODE", "nothing is waited for: what the browser was sent back with"),
        ],
        remarks: [
            "Epson refuses redirects to 'localhost': write 127.0.0.1. What is given is stored sealed, and renewed by chilapi."
        ]
    )

    let tenant: Slug
    let printer: String
    let permission: EpsonPermission

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        printer = try words.next()
        let wait: Lifetime? = try words.optional("--wait")
        permission = EpsonPermission(
            redirect: try words.optional("--redirect-uri") ?? EpsonPermission.usual,
            code: try words.optional("--code"),
            waitSeconds: wait?.seconds ?? EpsonPermission.usualWaitSeconds
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        Listing(
            one: try await services.authorizePrinter(named: printer, of: tenant, permission),
            notes: ["Its owner has agreed. `chiladmin printer test \(tenant) \(printer)` asks the printer."]
        )
    }
}

/// How a printer's owner is asked.
struct EpsonPermission: Equatable, Sendable {
    static let usualRedirect = "http://127.0.0.1:8765/epson"
    static let usual = WebAddress(argument: usualRedirect)!
    static let usualWaitSeconds: Int64 = 600

    let redirect: WebAddress
    /// What the browser was sent back with.
    let code: EpsonCode?
    let waitSeconds: Int64
}

/// An authorization code.
struct EpsonCode: ArgumentValue, Equatable, Sendable {
    static let expectation = "a code of 1 to 2000 visible ASCII characters"

    let text: String

    init?(argument: String) {
        guard 1...2_000 ~= argument.utf8.count, argument.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        text = argument
    }
}
