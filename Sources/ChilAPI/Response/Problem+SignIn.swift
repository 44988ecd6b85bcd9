import ChilHTTP

extension Problem {
    static let invalidAuthorizationCode = Problem(
        status: .unauthorized,
        code: .invalidAuthorizationCode,
        title: "Sign-in refused",
        detail: "Ask the identity provider for a new authorization code and send it once, within five minutes."
    )

    static let userBanned = Problem(
        status: .forbidden,
        code: .userBanned,
        title: "Account closed",
        detail: "This account may not sign in: ask the operator."
    )

    /// The provider does not take the tenant's credentials, or the tenant has none.
    static let identityProviderMisconfigured = Problem(
        status: .serviceUnavailable,
        code: .identityProviderMisconfigured,
        title: "Sign-in is not set up",
        detail: "The identity provider refuses this service: the operator must run chiladmin client check.",
        retryAfter: 60
    )

    /// An exchange under way elsewhere, or a provider that does not answer.
    static let codeExchangeAway = Problem(
        status: .serviceUnavailable,
        code: .identityProviderAway,
        title: "Identity provider away",
        detail: "The identity provider does not answer now: try again shortly, with a new code if this one is refused.",
        retryAfter: 5
    )
}
