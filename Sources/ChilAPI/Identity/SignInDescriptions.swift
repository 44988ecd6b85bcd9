import ChilAuth
import ChilCore
import ChilHTTP
import ChilOpenAPI

extension RouteDescription {
    static let nonce = RouteDescription(
        "makeNonce",
        .signIn,
        "A nonce for one sign-in",
        answers: [
            .json(
                .created,
                Component(
                    "Nonce",
                    .object([.required("nonce", .text(pattern: "[A-Za-z0-9_-]{43}")), .required("expiresAt", .moment)])
                ),
                "To be given to the identity provider, as it is or by its SHA-256 in hexadecimal, within ten minutes."
            )
        ]
    )

    static let signInWithApple = RouteDescription(
        "signInWithApple",
        .signIn,
        "Signs a person in by an identity token",
        body: .json(
            Component(
                "AppleSignIn",
                .object(
                    [
                        .required("identityToken", .text(lengthMax: 65_536).described("The provider's JWT.")),
                        .omissible("nonce", .text(TextRule(bytesMax: 256))),
                        .omissible("userID", .text(TextRule(bytesMax: 255)).described("If sent, the token's `sub`.")),
                        .omissible("authorizationCode", .text(AuthorizationCode.rule)),
                    ] + SelfDescription.properties
                )
            )
        ),
        answers: [.json(.signedIn, "A session.")],
        refusing: [
            .invalidIdentityToken, .userBanned, .quotaExceeded, .quotaWindowExceeded, .noIdentityProvider,
            .identityProviderAway,
        ]
    )

    static let keys = RouteDescription(
        "getKeys",
        .signIn,
        "The tenant's public keys, which sign access tokens (RFC 7517)",
        parameters: [.ifNoneMatch],
        answers: [
            AnswerForm(200, "The keys.", [.json(.keySet)], fields: [.entityTag, keysCacheControl]),
            .notModified(.entityTag, keysCacheControl),
        ]
    )

    private static let keysCacheControl = AnswerField.cacheControl(
        "public, max-age=\(JWKSet.maxAge.components.seconds)"
    )
}

extension SelfDescription {
    static let properties: [Schema.Property] = [
        .omissible("givenName", .text(rule, dropsControls: true).example("Ann")),
        .omissible("familyName", .text(rule, dropsControls: true)),
        .omissible("deviceName", .text(rule, dropsControls: true).example("Ann's tablet")),
    ]
}

extension Component {
    fileprivate static let keySet = Component(
        "KeySet",
        .object([.required("keys", .list(of: .reference(key), 0...Int64(JWKSet.keysMax)))])
    )

    fileprivate static let key = Component(
        "Key",
        .object([
            .required("kid", .text),
            .required("use", .constant("sig")),
            .required("alg", .constant("ES256")),
            .required("kty", .constant("EC")),
            .required("crv", .constant("P-256")),
            .required("x", .text(pattern: "[A-Za-z0-9_-]{43}")),
            .required("y", .text(pattern: "[A-Za-z0-9_-]{43}")),
        ])
    )
}
