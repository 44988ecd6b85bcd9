import ChilCore

/// The claims of identity tokens to be made, in the shape of Apple's (contract, "Sign in").
struct TokenDraft: Equatable, Sendable {
    let issuer: String
    let clientID: ClientID
    let subject: String
    let nonce: String?
    let email: String?
    let issuedAt: Timestamp
    let lifetime: Seconds
    let extraClaims: [ExtraClaim]

    /// The claims that all tokens of a batch have in common, as JSON without its closing brace.
    func sharedClaims() -> [UInt8] {
        let issued = issuedAt.seconds
        var claims: [(name: String, value: String)] = [
            ("iss", JSONText.string(issuer)),
            ("aud", JSONText.string(clientID.text)),
            ("iat", String(issued)),
            ("exp", String(issued + lifetime.count)),
            ("auth_time", String(issued)),
            ("nonce_supported", "true"),
        ]
        if let nonce { claims.append(("nonce", JSONText.string(nonce))) }
        if let email { claims += [("email", JSONText.string(email)), ("email_verified", "true")] }
        for extra in extraClaims {
            claims.removeAll { $0.name == extra.name }
            claims.append((extra.name, extra.value))
        }
        return Array(("{" + claims.map { "\(JSONText.string($0.name)):\($0.value)" }.joined(separator: ",")).utf8)
    }

    /// `sharedClaims` completed with what is the token's own, unless an extra claim has taken that place.
    func claims(sharing shared: [UInt8], subject: String, tokenID: String) -> [UInt8] {
        var claims = shared
        for (name, value) in [("sub", subject), ("jti", tokenID)]
        where !extraClaims.contains(where: { $0.name == name }) {
            if claims.last != UInt8(ascii: "{") { claims.append(UInt8(ascii: ",")) }
            claims += "\"\(name)\":\(JSONText.string(value))".utf8
        }
        claims.append(UInt8(ascii: "}"))
        return claims
    }
}
