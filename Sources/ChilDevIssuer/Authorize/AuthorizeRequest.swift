import ChilCore
import ChilHTTP

/// What a client asks for at `/auth/authorize`, by the provider's rules ("Request an authorization to the Sign in with Apple server").
///
/// A request that breaks one is never sent back to its redirect URI: the person sees why on the page.
struct AuthorizeRequest: Equatable, Sendable {
    enum Mode: String, Sendable {
        case query, fragment
        case formPost = "form_post"
    }

    let clientID: String
    let redirectURI: HTTPURL
    /// As it was sent: a code is bound to these bytes.
    let redirectText: String
    let wantsCode: Bool
    let wantsIdentityToken: Bool
    let mode: Mode
    let scope: Set<String>
    let state: String?
    let nonce: String?
    let codeChallenge: String?

    /// - Parameter items: the query, or the page's form, which repeats it.
    init(_ items: QueryItems, clients: [String: [String]]) throws(OAuthError) {
        clientID = try items.required("client_id")
        guard clients.isEmpty || clients[clientID] != nil else {
            throw .invalidClient("client_id is no known client.")
        }
        let redirectText = try items.required("redirect_uri")
        guard let url = HTTPURL(redirectText), url.isSecure || LoopbackHost.contains(url.host),
            clients[clientID]?.contains(where: { $0.isExactly(redirectText) }) ?? true
        else { throw .invalidRequest("Invalid web redirect url.") }
        redirectURI = url
        self.redirectText = redirectText
        let types = Set(try items.required("response_type").split(separator: " ").map(String.init))
        guard !types.isEmpty, types.isSubset(of: ["code", "id_token"]) else {
            throw OAuthError(code: .unsupportedResponseType, text: "response_type is not code, id_token or both.")
        }
        wantsCode = types.contains("code")
        wantsIdentityToken = types.contains("id_token")
        guard let mode = Mode(rawValue: items["response_mode"] ?? "query") else {
            throw .invalidRequest("response_mode is not query, fragment or form_post.")
        }
        self.mode = mode
        scope = Set((items["scope"] ?? "").split(separator: " ").map(String.init))
        guard scope.isSubset(of: ["name", "email", "openid"]) else {
            throw OAuthError(code: .invalidScope, text: "scope is none of name and email.")
        }
        guard mode == .formPost || scope.isDisjoint(with: ["name", "email"]) else {
            throw .invalidRequest("response_mode must be form_post when name or email scope is requested.")
        }
        guard mode != .query || !wantsIdentityToken else {
            throw .invalidRequest("response_mode must be fragment or form_post when id_token is requested.")
        }
        state = items["state"]
        nonce = items["nonce"]
        codeChallenge = items["code_challenge"]
        guard codeChallenge == nil || items["code_challenge_method"] == "S256" else {
            throw .invalidRequest("code_challenge_method is not S256.")
        }
    }

    /// The same as fields, for the page to send again.
    var fields: [(name: String, value: String)] {
        var fields = [
            ("client_id", clientID), ("redirect_uri", redirectText),
            (
                "response_type",
                [wantsCode ? "code" : nil, wantsIdentityToken ? "id_token" : nil].compactMap { $0 }.joined(
                    separator: " "
                )
            ),
            ("response_mode", mode.rawValue), ("scope", scope.sorted().joined(separator: " ")),
        ]
        if let state { fields.append(("state", state)) }
        if let nonce { fields.append(("nonce", nonce)) }
        if let codeChallenge { fields += [("code_challenge", codeChallenge), ("code_challenge_method", "S256")] }
        return fields
    }
}
