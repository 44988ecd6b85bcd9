import ChilHTTP
import ChilOpenAPI

/// The answers of routes that went well, with their fields.
extension AnswerForm {
    private static let noStore = AnswerField("Cache-Control", .constant("no-store"), "No cache may keep it.")

    /// With somebody's data, or a secret.
    static func json(
        _ status: Status,
        _ component: Component,
        fields: [AnswerField] = [],
        _ description: String
    ) -> AnswerForm {
        AnswerForm(Int(status.rawValue), description, [.json(component)], fields: [noStore] + fields)
    }

    static func json(_ component: Component, fields: [AnswerField] = [], _ description: String) -> AnswerForm {
        json(.ok, component, fields: fields, description)
    }

    /// Without a body.
    static func empty(_ status: Status, fields: [AnswerField] = [], _ description: String) -> AnswerForm {
        AnswerForm(Int(status.rawValue), description, fields: fields)
    }

    static func notModified(_ fields: AnswerField...) -> AnswerForm {
        AnswerForm(304, "What the client has is what there is.", fields: fields)
    }

    /// A browser is sent on.
    static func away(_ description: String) -> AnswerForm {
        AnswerForm(
            303,
            description,
            fields: [
                .location, noStore,
                AnswerField("Referrer-Policy", .constant("no-referrer"), "The address stays untold."),
            ]
        )
    }

    /// A refusal: a problem document with one of these codes.
    static func problem(_ status: Int, _ codes: [Problem.Code], or other: Component?) -> AnswerForm {
        let words = codes.map(\.rawValue).sorted()
        let schema = Schema.reference(.problem).narrowing("status", .constant(.number(Int64(status))))
            .narrowing("code", .word(words))
        var contents = words.isEmpty ? [] : [Content("application/problem+json", schema)]
        if let other { contents.append(.json(other)) }
        var fields = [noStore]
        switch status {
        case 401: fields.append(AnswerField("WWW-Authenticate", .constant("Bearer"), "How to prove who calls."))
        case 405: fields.append(.allow)
        case 409 where codes != [.idempotencyKeyRunning]: fields.append(.retryAfterIfEver)
        case 409, 429, 503: fields.append(.retryAfter)
        case 416: fields.append(.contentRange)
        default: break
        }
        if other != nil { fields.append(.pragma) }
        let description = (words.map { "`\($0)`" } + (other.map { ["\($0.name)"] } ?? [])).joined(separator: ", ")
        let name = other == nil ? "\(status).\(words.joined(separator: "."))" : nil
        return AnswerForm(
            status,
            description,
            contents,
            fields: fields + AnswerField.ofAll + AnswerField.rates,
            name: name
        )
    }

    /// With what every answer has.
    func completed(isCounted: Bool) -> AnswerForm {
        adding(AnswerField.ofAll + (isCounted ? AnswerField.rates : []))
    }

    /// To a method that a path does not have, whatever the path.
    static let otherMethod = problem(405, [.methodNotAllowed], or: nil)
}

extension AnswerField {
    static let ofAll = [
        AnswerField("X-Request-Id", .text(pattern: "[0-9a-f]{20}"), "Names the request in the service's log."),
        AnswerField("X-Content-Type-Options", .constant("nosniff"), "The media type is what Content-Type says."),
    ]

    /// draft-ietf-httpapi-ratelimit-headers-10.
    static let rates = [
        AnswerField(
            "RateLimit-Policy",
            .text(pattern: #"("[a-z-]+";q=[0-9]+;w=[0-9]+)(, "[a-z-]+";q=[0-9]+;w=[0-9]+)*"#)
                .example(#""read-user";q=1200;w=60"#),
            isRequired: false,
            "What holds: so many requests (q) in so many seconds (w)."
        ),
        AnswerField(
            "RateLimit",
            .text(pattern: #""[a-z-]+";r=[0-9]+;t=[0-9]+"#).example(#""read-user";r=1199;t=1"#),
            isRequired: false,
            "What is left (r), and the seconds until all is there again (t)."
        ),
    ]

    static let entityTag = AnswerField("ETag", .text(pattern: #""[0-9a-f-]+""#), "What this version is called.")
    static let location = AnswerField("Location", .text(format: "uri"), "Where it is.")
    static let allow = AnswerField("Allow", .text(pattern: "[A-Z]+(, [A-Z]+)*"), "The methods that there are.")
    static let retryAfterIfEver = AnswerField(
        "Retry-After",
        .text(pattern: "[0-9]+"),
        isRequired: false,
        "Seconds to wait before the next attempt, if it may go better then."
    )
    static let retryAfter = AnswerField(
        "Retry-After",
        .text(pattern: "[0-9]+"),
        "Seconds to wait before the next attempt."
    )
    static let contentRange = AnswerField(
        "Content-Range",
        .text(pattern: #"bytes ([0-9]+-[0-9]+|\*)/[0-9]+"#),
        "Which bytes of how many."
    )
    /// `Pragma`, which RFC 6749 §5.1 asks for.
    static let pragma = AnswerField("Pragma", .constant("no-cache"), isRequired: false, "For caches of HTTP/1.0.")

    static func cacheControl(_ value: String) -> AnswerField {
        AnswerField("Cache-Control", .constant(.text(value)), "Who may keep it, for how many seconds.")
    }
}

extension Component {
    /// RFC 9457.
    static let problem = Component(
        "Problem",
        .object([
            .required("type", .constant("about:blank")),
            .required("title", .text),
            .required("status", .integer(400...599)),
            .required("detail", .text.described("What to do.")),
            .required("code", .word(Problem.Code.self).described("Never renamed, never reused.")),
            .required("instance", .text(pattern: "[0-9a-f]{20}").described("The request: X-Request-Id.")),
            .optional(
                "errors",
                .list(of: .reference(fieldFault), 1...20).described("What is wrong with which member.")
            ),
            .optional("scope", .text.described("With `consent-required`: what a guardian has to agree to.")),
            .optional(
                "notice",
                .integer(1...Int64(Int32.max)).described("With `consent-required`: under which notice.")
            ),
        ])
    )

    private static let fieldFault = Component(
        "FieldFault",
        .object([
            .required("pointer", .text.described("JSON Pointer (RFC 6901) into the body, or a parameter's name.")),
            .required("detail", .text),
        ])
    )
}
