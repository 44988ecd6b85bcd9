import ChilStore

extension PrinterRecord.Kind: ArgumentChoice {}

/// A printer by Epson's service to be added.
struct EpsonPrinterDraft: Equatable, Sendable {
    let name: DisplayName
    let kind: PrinterRecord.Kind
    let isDefault: Bool
    let disclosedTo: PartyName?
    let address: EpsonPrinterAddress?
    let clientID: ClientID
    let secretFile: String
    let apiKeyFile: String?
    /// Of what is not in a file.
    let questions: [SecretQuestion]
    let api: WebAddress?
    let auth: WebAddress?
    let upload: WebAddress?
    let isPrivate: Bool

    /// The flags that are about Epson Connect alone.
    static let flags: [CommandGuide.Flag] = [
        .flag("--address", "ADDRESS", "epson-v1: the printer's own at Epson, as in abc@print.epsonconnect.com"),
        .flag("--client-id", "ID", "epson-v1, epson-v2: the client's id at Epson"),
        .flag(
            "--client-secret-file",
            "FILE",
            "epson-v1, epson-v2: a file with the client's secret alone; asked for where it is missing"
        ),
        .flag("--api-key-file", "FILE", "epson-v2: a file with the API key alone; asked for where it is missing"),
        .flag("--api-url", "URL", "where Epson Connect is, if not at Epson"),
        .flag("--auth-url", "URL", "where permission is given, if not at Epson"),
        .flag("--upload-url", "URL", "where pages are uploaded, if not at Epson"),
        .toggle("--allow-private", "those three may be without TLS and at private addresses: a simulator"),
    ]

    init(
        _ words: inout ArgumentReader,
        _ kind: PrinterRecord.Kind,
        name: DisplayName,
        isDefault: Bool,
        disclosedTo: PartyName?
    ) throws(UsageError) {
        self.name = name
        self.kind = kind
        self.isDefault = isDefault
        self.disclosedTo = disclosedTo
        address = try words.optional("--address")
        clientID = try words.required("--client-id")
        let secret: String? = try words.optional("--client-secret-file")
        let apiKey: String? = try words.optional("--api-key-file")
        secretFile = secret ?? SecretQuestion.standardInput
        apiKeyFile = apiKey ?? (kind == .epsonV2 ? SecretQuestion.standardInput : nil)
        questions = [
            SecretQuestion(
                "--client-secret-file",
                secret,
                "The client's secret at Epson",
                hint: "Name the file that holds the client's secret, or - for standard input."
            ),
            kind == .epsonV2 || apiKey != nil
                ? SecretQuestion(
                    "--api-key-file",
                    apiKey,
                    "The API key at Epson",
                    hint: "A printer of the kind epson-v2 wants an API key."
                ) : nil,
        ].compactMap { $0 }
        api = try words.optional("--api-url")
        auth = try words.optional("--auth-url")
        upload = try words.optional("--upload-url")
        isPrivate = words.isSet("--allow-private")
        if kind == .epsonV1, address == nil {
            throw UsageError("--address is missing", hint: "A printer of the kind epson-v1 is known by its address.")
        }
    }
}

/// What Epson Connect calls a printer.
struct EpsonPrinterAddress: ArgumentValue, Equatable, Sendable {
    static let expectation = "a printer's address, as in abc@print.epsonconnect.com"
    private static let byteCountMax = 254

    let text: String

    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, argument.utf8.count <= Self.byteCountMax,
            argument.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        text = argument
    }
}
