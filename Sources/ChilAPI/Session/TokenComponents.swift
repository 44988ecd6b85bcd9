import ChilAuth
import ChilCore
import ChilOpenAPI

extension Component {
    /// The members of `IssuedTokens`.
    static let issuedTokens = Component("Tokens", .object(issuedMembers))

    static let issuedMembers: [Schema.Property] = [
        .required("accessToken", .accessToken),
        .required("tokenType", .constant("Bearer")),
        .required("expiresIn", .seconds.described("Seconds that the access token is good for.")),
        .required("refreshToken", .refreshToken),
        .required(
            "refreshExpiresIn",
            .seconds.described("Seconds after which the session ends if it is not refreshed.")
        ),
    ]

    /// RFC 6749 §5.1.
    static let oauthTokens = Component(
        "OAuthTokens",
        .object([
            .required("access_token", .accessToken),
            .required("token_type", .constant("Bearer")),
            .required("expires_in", .seconds),
            .required("refresh_token", .refreshToken),
        ])
    )

    /// RFC 6749 §5.2.
    static let oauthError = Component(
        "OAuthError",
        .object([
            .required(
                "error",
                .word([
                    "invalid_request", "invalid_grant", "invalid_client", "unsupported_grant_type",
                    "temporarily_unavailable",
                ])
            ),
            .required("error_description", .text(pattern: #"[ !#-\[\]-~]*"#)),
        ])
    )

    /// `SignedIn.appendMembers`.
    static let signedInMembers: [Schema.Property] = [
        .required("user", .reference(.user)),
        .required("isNewUser", .flag),
    ]

    static let signedIn = Component("SignedIn", .object(issuedMembers + signedInMembers))

    /// As the first app reads it.
    static let signedInByCode = Component(
        "SignedInByCode",
        .object(
            [
                .required("token", .accessToken.described("The access token.")),
                .required("grantType", .constant("Bearer")),
            ]
                + issuedMembers + signedInMembers
        )
    )
}

extension Schema {
    static let accessToken = Schema.text(pattern: #"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+"#)
    static let refreshToken = Schema.text(pattern: "chl_rt_[A-Za-z0-9_-]+")
    static let seconds = Schema.integer(from: 0)
}
