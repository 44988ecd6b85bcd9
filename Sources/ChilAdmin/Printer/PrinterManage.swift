import ChilCore
import ChilStore

/// `chiladmin printer show`
struct PrinterShow: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["printer", "show"],
        summary: "one printer: its state, what was last seen of it, what waits there, to whom it is lent",
        examples: [.init("chiladmin printer show chillin office", "as workers saw it; `printer test` asks it now")],
        arguments: PrinterPlaceWords.arguments
    )

    let words: PrinterPlaceWords

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try PrinterPlaceWords(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterDetailRow> {
        Listing(one: try await services.printer(named: words.printer, of: words.tenant))
    }
}

/// `chiladmin printer enable`
struct PrinterEnable: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["printer", "enable"],
        summary: "let a printer take prints",
        examples: [.init("chiladmin printer enable chillin office", "what waits for it is printed now")],
        arguments: PrinterPlaceWords.arguments
    )

    let words: PrinterPlaceWords

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try PrinterPlaceWords(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        Listing(one: try await services.setPrinter(named: words.printer, of: words.tenant, to: .enabled))
    }
}

/// `chiladmin printer disable`
struct PrinterDisable: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["printer", "disable"],
        summary: "let a printer take no prints, and begin none of those that wait",
        examples: [.init("chiladmin printer disable chillin office", "prints wait, and say printerDisabled")],
        arguments: PrinterPlaceWords.arguments,
        remarks: [
            "What the printer has already is let out.",
            "Whoever borrows it can't print on it either.",
            "What waits may expire meanwhile: `chiladmin printer remove --move-to` sends it elsewhere.",
        ]
    )

    let words: PrinterPlaceWords

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try PrinterPlaceWords(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        Listing(one: try await services.setPrinter(named: words.printer, of: words.tenant, to: .disabled))
    }
}

/// `chiladmin printer drain`
struct PrinterDrain: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["printer", "drain"],
        summary: "let a printer take no more prints, and print those that wait",
        examples: [.init("chiladmin printer drain chillin office", "before it is taken away")],
        arguments: PrinterPlaceWords.arguments
    )

    let words: PrinterPlaceWords

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try PrinterPlaceWords(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        Listing(one: try await services.setPrinter(named: words.printer, of: words.tenant, to: .draining))
    }
}

/// `chiladmin printer default`
struct PrinterDefault: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["printer", "default"],
        summary: "send prints that name no printer to this one",
        examples: [.init("chiladmin printer default chillin office", "in the place of the one before")],
        arguments: PrinterPlaceWords.arguments
    )

    let words: PrinterPlaceWords

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try PrinterPlaceWords(&words)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        Listing(one: try await services.setDefaultPrinter(named: words.printer, of: words.tenant))
    }
}

/// `chiladmin printer share`
struct PrinterShare: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["printer", "share"],
        summary: "lend a printer to another tenant",
        examples: [
            .init(
                "chiladmin printer share chillin office --with school --as library",
                "the tenant school prints on it too, in turns, and calls it library"
            )
        ],
        arguments: PrinterPlaceWords.arguments,
        flags: [
            .required("--with", "TENANT", "to whom"),
            .flag("--as", "NAME", "what it is called there (default: the same)"),
        ],
        remarks: [
            "Address and credentials stay here; disabled or removed here, it prints for nobody.",
            "Tenants and their people print in turns, however much each of them has waiting.",
            "It counts for the borrower's limit of printers, and prints for the borrower's of prints.",
        ]
    )

    let words: PrinterPlaceWords
    let borrower: Slug
    let name: DisplayName?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try PrinterPlaceWords(&words)
        borrower = try words.required("--with")
        name = try words.optional("--as")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        let row = try await services.lendPrinter(named: words.printer, of: words.tenant, to: borrower, as: name)
        return Listing(
            one: row,
            notes: ["It is '\(borrower)'s now: `chiladmin printer default` makes it the default there."]
        )
    }
}

/// `chiladmin printer unshare`
struct PrinterUnshare: SevereCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["printer", "unshare"],
        summary: "lend a printer to a tenant no more",
        examples: [
            .init(
                "chiladmin printer unshare chillin office --with school --cancel-jobs",
                "what waits there is canceled"
            )
        ],
        arguments: PrinterPlaceWords.arguments,
        flags: [.required("--with", "TENANT", "who has borrowed it")] + PrinterRemoval.flags("the borrower's")
            + [.confirm("SLUG")]
    )

    let words: PrinterPlaceWords
    let borrower: Slug
    let removal: PrinterRemoval
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.words = try PrinterPlaceWords(&words)
        borrower = try words.required("--with")
        removal = try PrinterRemoval(&words)
        confirmed = try words.optional("--confirm")
    }

    var word: String? { removal == .cancel ? borrower.description : nil }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.loan(words.printer, words.tenant, to: borrower))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<PrinterRow> {
        let row = try await services.endLoan(of: words.printer, of: words.tenant, to: borrower, removal)
        return Listing(one: row, notes: ["It is lent to '\(borrower)' no more."])
    }
}

/// The words that name a printer.
struct PrinterPlaceWords: Equatable {
    static let arguments: [CommandGuide.Argument] = [
        .init(name: "TENANT", summary: "the tenant's slug"),
        .init(name: "PRINTER", summary: "its name"),
    ]

    let tenant: Slug
    let printer: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        printer = try words.next()
    }
}

/// What becomes of jobs that have not ended where a printer is taken away.
enum PrinterRemoval: Equatable, Sendable {
    /// Then it stays.
    case refuse
    case move(to: String)
    case cancel

    static func flags(_ whose: String) -> [CommandGuide.Flag] {
        [
            .flag("--move-to", "PRINTER", "what waits there goes to this one of \(whose)"),
            .toggle("--cancel-jobs", "what waits there, or is printed, is canceled"),
        ]
    }

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let target: String? = try words.optional("--move-to")
        let cancels = words.isSet("--cancel-jobs")
        switch (target, cancels) {
        case (nil, false): self = .refuse
        case (let target?, false): self = .move(to: target)
        case (nil, true): self = .cancel
        case (.some, true):
            throw UsageError("--move-to and --cancel-jobs exclude each other", hint: "Name one of them.")
        }
    }
}
