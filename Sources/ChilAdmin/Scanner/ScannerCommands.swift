import ChilCore

/// `chiladmin scanner add`
struct ScannerAdd: AdminCommand {
    static let effect = Effect.writesInSteps
    static let guide = CommandGuide(
        path: ["scanner", "add"],
        summary: "give a scanner an address of the tenant's to push pages to",
        examples: [
            .init(
                "chiladmin scanner add chillin --name hall --user 391234567890123",
                "prints the address to register; pages become drawings of that user"
            ),
            .init(
                "chiladmin scanner add chillin --name hall --user 391234567890123 --printer home",
                "and registers it at Epson Connect, by that printer's account"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--name", "NAME", "what it is called; one of a kind in the tenant"),
            .required("--user", "USER", "whose drawings its pages become"),
            .flag("--serial", "TEXT", "take only pages of the printer that calls itself so"),
            .flag(
                "--printer",
                "PRINTER",
                "register the address at Epson Connect: a printer of the kind epson-v1 or epson-v2"
            ),
        ],
        remarks: [
            "Whoever knows the address can push pages: it is shown once, and only its digest is kept.",
            "Without --printer, register it at Epson Connect by hand, as a destination of the kind URL: docs/scanning.md.",
        ]
    )

    let tenant: Slug
    let draft: ScannerDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        draft = ScannerDraft(
            name: try words.required("--name"),
            user: try words.required("--user"),
            serial: try words.optional("--serial"),
            printer: try words.optional("--printer")
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ScannerAddressRow> {
        let added = try await services.addScanner(draft, to: tenant)
        return Listing(one: added, notes: added.notes)
    }
}

/// `chiladmin scanner list`
struct ScannerList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["scanner", "list"],
        summary: "a tenant's scanners",
        examples: [.init("chiladmin scanner list chillin", "whose pages they push, and when the last one came")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")]
    )

    let tenant: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ScannerRow> {
        let scanners = try await services.scanners(of: tenant)
        let hint = "No scanner: `chiladmin scanner add \(tenant) --name NAME --user USER` adds one."
        return Listing(scanners, notes: scanners.isEmpty ? [hint] : [])
    }
}

/// `chiladmin scanner show`
struct ScannerShow: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["scanner", "show"],
        summary: "one scanner",
        examples: [
            .init("chiladmin scanner show chillin hall", "its address is not shown again: `rotate` makes a new one")
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "SCANNER", summary: "its name"),
        ]
    )

    let tenant: Slug
    let scanner: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        scanner = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ScannerRow> {
        guard let row = try await services.scanners(of: tenant).first(where: { $0.name.isExactly(scanner) }) else {
            throw .noSuchScanner(scanner, tenant: tenant.text)
        }
        return Listing(one: row)
    }
}

/// `chiladmin scanner rotate`
struct ScannerRotate: AdminCommand {
    static let effect = Effect.writesInSteps
    static let guide = CommandGuide(
        path: ["scanner", "rotate"],
        summary: "give a scanner a new address; the old one leads nowhere at once",
        examples: [.init("chiladmin scanner rotate chillin hall", "register the new address in the old one's place")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "SCANNER", summary: "its name"),
        ]
    )

    let tenant: Slug
    let scanner: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        scanner = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ScannerAddressRow> {
        let rotated = try await services.rotateScanner(named: scanner, of: tenant)
        return Listing(one: rotated, notes: rotated.notes)
    }
}

/// `chiladmin scanner remove`
struct ScannerRemove: AdminCommand {
    static let effect = Effect.writesInSteps
    static let guide = CommandGuide(
        path: ["scanner", "remove"],
        summary: "take a scanner from a tenant",
        examples: [.init("chiladmin scanner remove chillin hall", "its address leads nowhere; its drawings stay")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "SCANNER", summary: "its name"),
        ]
    )

    let tenant: Slug
    let scanner: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        scanner = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ScannerRow> {
        let (removed, destination) = try await services.removeScanner(named: scanner, from: tenant)
        let note =
            switch destination {
            case .registered: "Removed, at Epson Connect too."
            case .failed(let why): "Removed. It is still registered at Epson Connect: \(why)"
            case nil: "Removed. Take its address out of Epson Connect too."
            }
        return Listing(one: removed, notes: [note])
    }
}
