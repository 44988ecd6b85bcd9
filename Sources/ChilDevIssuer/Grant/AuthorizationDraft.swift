package import ChilAuth

/// What a user agrees to when signing in: the input of a code and of the identity token that comes with it.
package struct AuthorizationDraft: Sendable {
    package var clientID: String
    package var subject: String
    /// Of a web sign-in; a device has none, and then the code must be exchanged without one.
    package var redirectURI: String?
    package var nonce: String?
    /// Of PKCE with S256 (RFC 7636 §4.2): the code then wants its verifier.
    package var codeChallenge: String?
    package var email: String?
    package var isEmailVerified = true
    /// Left out of the token when nil, as the provider does for a user's own address.
    package var isPrivateEmail: Bool?
    /// Told once: with the first authorization of this client, and again after a revocation.
    package var givenName: String?
    package var familyName: String?
    /// What signs; nil: the issuer's own choice.
    package var algorithm: JWSAlgorithm?
    /// Beside the issuer's standing ones.
    package var quirks: Set<Quirk> = []
    /// More claims of its identity tokens, or others in their place, as JSON.
    package var claims: [ExtraClaim] = []

    package init(clientID: String, subject: String) {
        self.clientID = clientID
        self.subject = subject
    }

    /// A claim of one's own.
    package struct ExtraClaim: Sendable {
        package let name: String
        package let json: [UInt8]

        package init(name: String, json: [UInt8]) {
            self.name = name
            self.json = json
        }
    }
}

/// What comes of it.
package struct Authorization: Sendable {
    package let code: String
    package let identityToken: [UInt8]
    /// `{"name":{…},"email":…}`, only the first time.
    package let user: [UInt8]?
}
