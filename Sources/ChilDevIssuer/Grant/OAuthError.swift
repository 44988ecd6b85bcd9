/// A refusal as RFC 6749 §5.2 and the provider's "ErrorResponse" have it.
struct OAuthError: Error, Equatable, Sendable {
    enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
        case invalidScope = "invalid_scope"
        case unsupportedResponseType = "unsupported_response_type"
        /// Nothing is wrong with the request (RFC 6749 §4.1.2.1).
        case serverError = "server_error"
    }

    let code: Code
    let text: String

    static func invalidRequest(_ text: String) -> Self { Self(code: .invalidRequest, text: text) }
    static func invalidClient(_ text: String) -> Self { Self(code: .invalidClient, text: text) }
    static func invalidGrant(_ text: String) -> Self { Self(code: .invalidGrant, text: text) }
}
