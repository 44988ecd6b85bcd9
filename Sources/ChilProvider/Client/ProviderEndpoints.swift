package import ChilHTTP

/// Where an identity provider's REST side is, and by what name it knows itself.
package struct ProviderEndpoints: Equatable, Sendable {
    package let tokenURL: HTTPURL
    /// nil: the provider revokes nothing by call.
    package let revokeURL: HTTPURL?
    /// nil: the provider moves no users between teams.
    package let migrationURL: HTTPURL?
    /// The `aud` of a client secret.
    package let audience: String

    package init(tokenURL: HTTPURL, revokeURL: HTTPURL?, migrationURL: HTTPURL? = nil, audience: String) {
        self.tokenURL = tokenURL
        self.revokeURL = revokeURL
        self.migrationURL = migrationURL
        self.audience = audience
    }

    /// What a provider with these issuers calls itself: the first of them. Apple takes one of its two only.
    package static func audience(of issuers: [String]) -> String {
        issuers.contains(apple) ? apple : issuers.first ?? ""
    }

    private static let apple = "https://appleid.apple.com"
}
