import ChilCore
import ChilHTTP
import ChilOpenAPI

extension RouteDescription {
    static let token = RouteDescription(
        "token",
        .signIn,
        "Tokens for an authorization code or a refresh token",
        "As JSON with a code alone, or as a form by RFC 6749, whose errors are answered in its words.",
        body: .other([
            .json(
                Component(
                    "CodeSignIn",
                    .object(
                        [
                            .required("code", .text(AuthorizationCode.rule)),
                            .omissible("clientId", .text(TextRule(bytesMax: 255))),
                            .omissible("nonce", .text(TextRule(bytesMax: 256))),
                        ] + SelfDescription.properties
                    )
                )
            ),
            Content(Call.formType, .reference(tokenForm)),
        ]),
        answers: [
            AnswerForm(
                200,
                "A session, in the words of the request's form.",
                [.json(.one(of: [.reference(.signedInByCode), .reference(.oauthTokens)]))],
                fields: [.cacheControl("no-store"), .pragma]
            )
        ],
        refusing: [
            .malformedJSON, .invalidFields, .unsupportedMediaType, .invalidAuthorizationCode, .invalidIdentityToken,
            .userBanned, .quotaExceeded, .quotaWindowExceeded, .noIdentityProvider, .identityProviderMisconfigured,
            .identityProviderAway,
        ],
        otherErrors: [400: .oauthError, 401: .oauthError, 503: .oauthError]
    )

    /// Unknown parameters of it are ignored (RFC 6749 §3.2).
    private static let tokenForm = Component(
        "TokenForm",
        .object(
            [
                .required("grant_type", .word(["authorization_code", "refresh_token"])),
                .optional("code", .text(AppCode.rule)),
                .optional("redirect_uri", .text(TextRule(bytesMax: 2_048))),
                .optional("code_verifier", .text(CodeChallenge.verifierRule)),
                .optional("client_id", .text(TextRule(bytesMax: 255))),
                .optional("nonce", .text(TextRule(bytesMax: 256))),
                .optional("device_name", .text(SelfDescription.rule, dropsControls: true)),
                .optional("refresh_token", .text(TextRule(bytesMax: 512))),
            ],
            isOpen: true
        )
    )
}
