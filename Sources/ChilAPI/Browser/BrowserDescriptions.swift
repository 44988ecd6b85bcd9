import ChilCore
import ChilHTTP
import ChilOpenAPI

extension RouteDescription {
    static let authorize = RouteDescription(
        "authorize",
        .signIn,
        "Sends a browser to the identity provider",
        parameters: [
            Parameter("client_id", in: .query, .text(TextRule(bytesMax: 255)), isRequired: true, "The Services ID."),
            Parameter("state", in: .query, .text(TextRule(bytesMax: 512)), isRequired: true, "Given back as it is."),
            Parameter(
                "code_challenge",
                in: .query,
                .text(pattern: "[A-Za-z0-9_-]{43}").example("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
                isRequired: true,
                "RFC 7636, S256."
            ),
            Parameter("code_challenge_method", in: .query, .word(["S256"]), "S256, which is the default."),
        ],
        answers: [.away("To the provider.")],
        refusing: [.identityProviderMisconfigured]
    )

    static let callback = RouteDescription(
        "callback",
        .signIn,
        "Takes the provider's answer by way of the browser (form_post)",
        body: .other([Content(Call.formType, .reference(callbackForm))]),
        answers: [.away("Back to the app, with `code` or `error`, and its `state`.")],
        refusing: [.unsupportedMediaType]
    )

    private static let callbackForm = Component(
        "CallbackForm",
        .object(
            [
                .required("state", .text(TextRule(bytesMax: 4_096))),
                .optional("code", .text(AuthorizationCode.rule)),
                .optional("id_token", .text(TextRule(bytesMax: 16 << 10))),
                .optional("user", .text(TextRule(bytesMax: 4_096, allowsLines: true))),
                .optional("error", .text(TextRule(bytesMax: 128))),
            ],
            isOpen: true
        )
    )
}
