/// The REST side of a provider record: where it is, and who the tenant is there. URLs that are `nil`: the provider has no such thing.
package struct ProviderREST: Sendable, Equatable {
    /// The key is sealed under `sealedColumn`: PKCS #8 in DER.
    package struct Credentials: Sendable, Equatable {
        package let teamID: String
        package let keyID: String
        package let sealedKey: [UInt8]

        package init(teamID: String, keyID: String, sealedKey: [UInt8]) {
            self.teamID = teamID
            self.keyID = keyID
            self.sealedKey = sealedKey
        }
    }

    package var credentials: Credentials?
    package var authorizeURL: String?
    package var tokenURL: String?
    package var revokeURL: String?
    package var migrationURL: String?
    /// What the provider said when it refused the credentials, until they work again.
    package var credentialFault: String?

    /// The column's name as the sealing binds it.
    package static let sealedColumn = "provider.sealed_key"

    package init(
        credentials: Credentials? = nil,
        authorizeURL: String? = nil,
        tokenURL: String? = nil,
        revokeURL: String? = nil,
        migrationURL: String? = nil
    ) {
        self.credentials = credentials
        self.authorizeURL = authorizeURL
        self.tokenURL = tokenURL
        self.revokeURL = revokeURL
        self.migrationURL = migrationURL
    }
}
