import ChilHTTP
import ChilOpenAPI

/// What a route is to a client, said beside the route. What all routes have in common is added by `Route.operation`.
struct RouteDescription: Sendable {
    enum Group: String, Sendable, CaseIterable {
        case signIn = "Sign in"
        case account = "Account"
        case drawings = "Drawings"
        case printing = "Printing"
        case service = "Service"

        var meaning: String {
            switch self {
            case .signIn: "Sessions, by what an identity provider proves."
            case .account: "The person who is signed in: what is known, kept, allowed and limited."
            case .drawings: "Pictures and their images."
            case .printing: "Prints of drawings."
            case .service: "The service itself."
            }
        }
    }

    /// How a body is sent.
    enum Body: Sendable {
        case none
        /// A JSON object, of which every member is known.
        case json(Component)
        /// A JSON object that is not needed.
        case optionalJSON(Component)
        case other([Content])

        /// RFC 7396, as its own media type or as JSON.
        static func mergePatch(_ component: Component) -> Body {
            .other([Content("application/merge-patch+json", .reference(component)), .json(component)])
        }

        var content: [Content] {
            switch self {
            case .none: []
            case .json(let component), .optionalJSON(let component): [.json(component)]
            case .other(let contents): contents
            }
        }

        var isRequired: Bool {
            if case .optionalJSON = self { false } else { true }
        }

        /// What every body of the form can be refused for.
        var refusals: Set<Problem.Code> {
            switch self {
            case .none: []
            case .json, .optionalJSON: [.malformedJSON, .contentTooLarge, .unsupportedMediaType, .invalidFields]
            case .other: [.contentTooLarge]
            }
        }
    }

    /// The operation's name, for clients that are generated.
    let id: String
    let group: Group
    let summary: String
    var details: String?
    /// Beside those of the path.
    var parameters: [Parameter] = []
    var body: Body = .none
    let answers: [AnswerForm]
    /// Beside those that the route's kind has.
    var refusals: Set<Problem.Code> = []
    /// Errors in other words than problem documents, beside those.
    var otherErrors: [Int: Component] = [:]
    /// `nil`: as the route needs it.
    var security: Operation.Security?

    init(
        _ id: String,
        _ group: Group,
        _ summary: String,
        _ details: String? = nil,
        parameters: [Parameter] = [],
        body: Body = .none,
        answers: [AnswerForm],
        refusing refusals: Set<Problem.Code> = [],
        otherErrors: [Int: Component] = [:],
        security: Operation.Security? = nil
    ) {
        self.id = id
        self.group = group
        self.summary = summary
        self.details = details
        self.parameters = parameters
        self.body = body
        self.answers = answers
        self.refusals = refusals
        self.otherErrors = otherErrors
        self.security = security
    }
}

extension Parameter {
    /// Those in paths, by their names in patterns.
    static func inPath(_ name: String) -> Parameter {
        switch name {
        case "tenant":
            Parameter(
                name,
                in: .path,
                .text(pattern: "[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?").example("chillin"),
                "The tenant's name."
            )
        case "receipt":
            Parameter(
                name,
                in: .path,
                .text(pattern: "chl_dr_[A-Za-z0-9_-]+"),
                "What the deletion of the account answered."
            )
        case "token":
            Parameter(
                name,
                in: .path,
                .text(pattern: "[A-Za-z0-9_-]{43}"),
                "What stands in the address that was given out."
            )
        default: Parameter(name, in: .path, .number, "A number that the service has given.")
        }
    }

    static let idempotencyKey = Parameter(
        "Idempotency-Key",
        in: .header,
        .text(pattern: #"[!#-+\-.-:<-\[\]-~]{1,128}|"(?:[ !#-\[\]-~]|\\["\\]){1,128}""#)
            .example("\"8e03978e-40d5-43dd-bc93-6894a57f9324\""),
        "Sent again with the same key within 24 hours, the request is not done again. Best a new UUID in double quotes."
    )

    static let ifMatch = Parameter(
        "If-Match",
        in: .header,
        .text.example("*"),
        isRequired: true,
        "The ETag of what the caller has seen, or `*`."
    )

    static let ifNoneMatch = Parameter(
        "If-None-Match",
        in: .header,
        .text,
        "The ETag of what the client has: 304 if it is still that."
    )
}

extension Schema {
    /// Of a row, made by the service: JavaScript loses nothing of it.
    static var number: Schema { .integer(1...(1 << 53 - 1)).example(123_456_789_012_345) }
}
