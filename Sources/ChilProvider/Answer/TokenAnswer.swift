package import ChilCrypto

/// What a token endpoint gave (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). The identity token is not verified.
package struct TokenAnswer: Sendable {
    /// Missing where a refresh token was spent: Apple's stays the same.
    package let refreshToken: SecretBytes?
    package let identityToken: [UInt8]?
    package let accessToken: SecretBytes?
}

extension TokenAnswer: CustomStringConvertible, CustomReflectable {
    package var description: String { "[token answer]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
