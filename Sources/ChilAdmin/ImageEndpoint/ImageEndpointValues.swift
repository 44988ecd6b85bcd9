import ChilCore
import ChilGenerator
import ChilStore

/// The number of a service that makes pictures.
struct ImageEndpointNumber: ArgumentValue, Hashable, Sendable {
    static let expectation = "a service's number, as `list` shows it"

    let id: ImageEndpointID

    init?(argument: String) {
        guard let number = Int64(argument: argument), number > 0 else { return nil }
        id = ImageEndpointID(rawValue: number)
    }
}

/// Where a service stands among the others: lower ones are asked first.
struct ImageEndpointPosition: ArgumentValue, Equatable, Sendable {
    static let expectation = "a whole number from 0 to 1000000"

    let number: Int32

    init?(argument: String) {
        guard let number = Int64(argument: argument), 0...1_000_000 ~= number else { return nil }
        self.number = Int32(number)
    }
}

/// How long an answer may take.
struct ImageEndpointTimeout: ArgumentValue, Equatable, Sendable {
    static let expectation = "a length from 1s to 30m"

    let seconds: Int64

    init?(argument: String) {
        guard let length = Lifetime(argument: argument), ImageEndpoint.timeoutRange ~= length.seconds else {
            return nil
        }
        seconds = length.seconds
    }
}

/// The party that gets to see what a service is asked, or nobody.
enum DisclosedParty: ArgumentValue, Equatable, Sendable {
    static let expectation = PartyName.expectation + ", or nobody"

    case nobody
    case party(PartyName)

    init?(argument: String) {
        if argument.isExactly("nobody") {
            self = .nobody
            return
        }
        guard let name = PartyName(argument: argument) else { return nil }
        self = .party(name)
    }

    /// As it is stored: nobody is the empty text.
    var text: String {
        switch self {
        case .nobody: ""
        case .party(let name): name.text
        }
    }
}

/// The name of a model, as the service knows it.
struct ModelName: ArgumentValue, Equatable, Sendable {
    static let byteCountMax = 200
    static var expectation: String { "a model's name: 1 to \(byteCountMax) visible ASCII characters" }

    let text: String

    init?(argument: String) {
        guard 1...Self.byteCountMax ~= argument.utf8.count,
            argument.utf8.allSatisfy({ 0x21...0x7E ~= $0 || $0 == 0x20 })
        else { return nil }
        text = argument
    }
}

extension ImageEndpoint.State: ArgumentChoice {
    static let allCases: [ImageEndpoint.State] = [.enabled, .disabled]
}

/// What is said of a service, to be added or changed. What is `nil` stays, or is the kind's usual.
struct ImageEndpointDraft: Equatable, Sendable {
    var url: String?
    /// A file with the key that the service wants to be shown.
    var keyFile: String?
    var model: ModelName?
    /// JSON.
    var options: String?
    var position: ImageEndpointPosition?
    var timeout: ImageEndpointTimeout?
    var privateEndpoint: HostPort?
    var party: DisclosedParty?
    var state: ImageEndpoint.State?

    static let flags: [CommandGuide.Flag] = [
        .flag(
            "--key-file",
            "FILE",
            "what it wants to be shown: a file, or - for standard input; a terminal asks for it then"
        ),
        .flag("--position", "NUMBER", "where it stands: lower ones are asked first"),
        .flag("--timeout", "LENGTH", "how long its answer may take: 1s to 30m"),
        .flag("--allow-private", "HOST:PORT", "call it there though the address is private; http:// too"),
        .flag("--discloses-to", "PARTY", "whose service it is, so that guardians are asked; or nobody"),
    ]

    init() {}

    /// Of a key that is not in a file. One that was not spoken of is none, or stays.
    var questions: [SecretQuestion] {
        guard let keyFile else { return [] }
        let hint = "Name the file that holds the key, or - for standard input."
        return [SecretQuestion("--key-file", keyFile, "The service's key", hint: hint)].compactMap { $0 }
    }

    /// The flags above, and the URL.
    init(_ words: inout ArgumentReader) throws(UsageError) {
        url = try words.optional("--url")
        keyFile = try words.optional("--key-file")
        position = try words.optional("--position")
        timeout = try words.optional("--timeout")
        privateEndpoint = try words.optional("--allow-private")
        party = try words.optional("--discloses-to")
    }
}
