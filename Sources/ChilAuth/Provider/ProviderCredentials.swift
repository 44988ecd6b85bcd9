package import ChilCrypto

/// Who a tenant is to its identity provider's REST side: the team, and the private key that the provider made for it (a `.p8` file).
package struct ProviderCredentials: Sendable {
    /// The team's identifier, ten letters and digits at Apple: the `iss` of a client secret.
    package let teamID: String
    /// The key's identifier: the `kid` of a client secret.
    package let keyID: String
    package let key: ES256PrivateKey

    package init(teamID: String, keyID: String, key: ES256PrivateKey) {
        self.teamID = teamID
        self.keyID = keyID
        self.key = key
    }
}

extension ProviderCredentials: CustomStringConvertible, CustomReflectable {
    package var description: String { "[credentials of team \(teamID), key \(keyID)]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
