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
}
