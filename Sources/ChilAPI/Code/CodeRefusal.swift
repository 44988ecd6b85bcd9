import ChilStore

/// Why an authorization code signs nobody in. Told in two languages: as a problem document, and as RFC 6749 has it.
enum CodeRefusal: Error, Equatable {
    /// The tenant has no such client.
    case unknownClient
    /// None was named, and there are several.
    case ambiguousClient
    /// Another redirect URI than the registered one.
    case wrongRedirectURI
    /// Used, old, or none of the provider's, of ours, of this client or of this verifier.
    case refused
    /// What the provider gave for it proves nobody, or was used before.
    case unproven
    case banned
    case quota
    /// The tenant has no credentials to exchange codes with.
    case notSetUp
    /// The provider refuses the tenant's credentials.
    case misconfigured
    /// The provider does not answer, or another request still waits for it.
    case away

    var problem: Problem {
        switch self {
        case .unknownClient:
            .invalidFields([Problem.FieldFault(pointer: "/clientId", detail: "There is no such client id.")])
        case .ambiguousClient:
            .invalidFields([Problem.FieldFault(pointer: "/clientId", detail: "Send the client id: there are several.")])
        case .refused, .wrongRedirectURI: .invalidAuthorizationCode
        case .unproven: .invalidIdentityToken
        case .banned: .userBanned
        case .quota: .tooManyUsers
        case .notSetUp, .misconfigured: .identityProviderMisconfigured
        case .away: .codeExchangeAway
        }
    }

    var oauthError: OAuthError {
        switch self {
        case .unknownClient: .invalidClient
        case .ambiguousClient: .invalidRequest("Send client_id: there are several.")
        case .wrongRedirectURI: .invalidGrant("redirect_uri is not the one that this code was asked for with.")
        case .refused: .invalidGrant("The code is used, old, or was made for someone else: ask for a new one.")
        case .unproven: .invalidGrant("The identity provider's answer was refused: ask for a new code.")
        case .banned: .invalidGrant("This account may not sign in: ask the operator.")
        case .quota: .invalidGrant("There is no room for another user: ask the operator.")
        case .notSetUp, .misconfigured: .unavailable("The operator must run chiladmin client check.", retryAfter: 60)
        case .away: .unavailable("The identity provider does not answer now.", retryAfter: 5)
        }
    }
}
