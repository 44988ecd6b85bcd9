import ChilCore
import ChilHTTP

/// A refusal of the token endpoint (RFC 6749 §5.2).
struct OAuthError: Error {
    let status: Status
    let code: StaticString
    /// Says what to do. Plain ASCII without quotation marks, as the RFC wants it.
    let text: String
    var retryAfter: Int?

    static func invalidRequest(_ text: String) -> Self {
        Self(status: .badRequest, code: "invalid_request", text: text)
    }

    static func invalidGrant(_ text: String) -> Self {
        Self(status: .badRequest, code: "invalid_grant", text: text)
    }

    static let invalidClient = Self(
        status: .unauthorized,
        code: "invalid_client",
        text: "There is no such client_id, or it has to prove nothing: send no client secret."
    )

    static let unsupportedGrantType = Self(
        status: .badRequest,
        code: "unsupported_grant_type",
        text: "Send authorization_code or refresh_token as grant_type."
    )

    /// RFC 6749 has this word for the authorization endpoint alone; its token endpoint has none for a server in need.
    static func unavailable(_ text: String, retryAfter: Int) -> Self {
        Self(status: .serviceUnavailable, code: "temporarily_unavailable", text: text, retryAfter: retryAfter)
    }

    var response: Response {
        var body = ByteWriter(capacity: 256)
        body.append("{\"error\":\"")
        body.append(code)
        body.append("\",\"error_description\":")
        body.append(json: text)
        body.append("}")
        var response = Response.json(status, &body)
        response.add("Pragma", "no-cache")
        if let retryAfter { response.add("Retry-After", "\(retryAfter)") }
        if status == .unauthorized { response.add("WWW-Authenticate", "Bearer") }
        return response
    }
}
