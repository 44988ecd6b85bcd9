import ChilCore
import ChilCrypto

/// `chiladmin printer trust`
struct PrinterTrust: AdminCommand {
    static let effect = Effect.writesInSteps
    static let guide = CommandGuide(
        path: ["printer", "trust"],
        summary: "accept the certificate that an ipps printer shows now",
        examples: [
            .init("chiladmin printer trust chillin office", "after the printer was replaced or made itself a new one"),
            .init(
                "chiladmin printer trust chillin office --key sha256:9f86d0…",
                "this key and no other; the printer need not answer"
            ),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "PRINTER", summary: "its name"),
        ],
        flags: [
            .flag(
                "--key",
                "KEY",
                "SHA-256 of the public key, as `printer test` prints it and the printer's own page may"
            )
        ],
        remarks: [
            "Printers make their own certificates: the first one that is met is trusted, and nothing is sent to another.",
            "One that is past its time when it is trusted is accepted as it is.",
            "It is asked from this machine. When chilapi has met another key than that, --key must say which one is right.",
        ]
    )

    let tenant: Slug
    let printer: String
    let key: PrinterKey?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        printer = try words.next()
        key = try words.optional("--key")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterKeyRow> {
        Listing(
            one: try await services.trustPrinter(named: printer, of: tenant, key: key),
            notes: ["Trusted. Jobs that wait for it go on within five minutes."]
        )
    }
}

/// SHA-256 of a printer's public key.
struct PrinterKey: ArgumentValue, Equatable, Sendable {
    static let expectation = "sha256: and 64 hexadecimal digits"

    let digest: [UInt8]

    init?(argument: String) {
        guard let digest = PeerPin.keyDigest(in: argument) else { return nil }
        self.digest = digest
    }

    init(digest: [UInt8]) {
        self.digest = digest
    }

    var text: String { PeerPin.text(of: digest) }
}

/// What is trusted now.
struct PrinterKeyRow: ListingRow, Equatable {
    let name: String
    let uri: String
    let key: String
    /// What was trusted before.
    let former: String?

    static let columns: [Column<Self>] = [
        Column("name") { .text($0.name) },
        Column("uri") { .text($0.uri) },
        Column("key") { .text($0.key) },
        Column("former") { .optional($0.former) },
    ]
}
