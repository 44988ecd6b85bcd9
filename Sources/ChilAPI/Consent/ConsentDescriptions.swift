import ChilCore
import ChilHTTP
import ChilOpenAPI
import ChilStore

extension RouteDescription {
    static let consents = RouteDescription(
        "listConsents",
        .account,
        "What guardians are asked for, and what they said, the newest first",
        answers: [.json(.consentList, "All of it.")]
    )

    static let sayConsent = RouteDescription(
        "sayConsent",
        .account,
        "What a guardian says",
        "`guardian`, `method` and `notice` are required where consent is given, and not where it is taken back.",
        body: .json(
            Component(
                "ConsentRequest",
                .object([
                    .required("scopes", .list(of: .consentScope, 1...Int64(APIService.scopesMax))),
                    .required("given", .flag),
                    .omissible("guardian", .text(APIService.guardianRule).example("Bea")),
                    .omissible("method", .word(ConsentMethod.self)),
                    .omissible("notice", .integer(1...Int64(Int32.max)).example(1)),
                ])
                .onlyIf(
                    "given",
                    is: true,
                    theseAreRequired: [
                        "guardian": "string", "method": "string", "notice": "integer",
                    ]
                )
            )
        ),
        answers: [
            .json(.created, .consentList, "It is written down; all of it."),
            .json(.consentList, "It held already; all of it."),
        ]
    )
}

extension Component {
    fileprivate static let consentList = Component(
        "ConsentList",
        .object([
            .required("notice", .integer(from: 1).described("The version in force.")),
            .required("required", .list(of: .reference(requiredConsent))),
            .required("data", .list(of: .reference(consent))),
        ])
    )

    fileprivate static let requiredConsent = Component(
        "RequiredConsent",
        .object([.required("scope", .consentScope), .required("given", .flag)])
    )

    /// `ConsentJSON`.
    fileprivate static let consent = Component(
        "Consent",
        .object([
            .required("consentId", .number),
            .required("scope", .consentScope),
            .required("given", .flag),
            .optional("method", .word(ConsentMethod.self)),
            .optional("notice", .integer(from: 1)),
            .optional("guardian", .text),
            .required("at", .moment),
        ])
    )
}

extension Schema {
    fileprivate static let consentScope = Schema.text(pattern: "collect|disclose:[a-z0-9][a-z0-9-]{0,39}").example(
        "collect"
    )
}
