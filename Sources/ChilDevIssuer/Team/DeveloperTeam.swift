package import ChilCrypto

/// A developer account as the issuer knows it: who may sign client secrets.
package struct DeveloperTeam: Sendable {
    /// Ten letters and digits.
    package let teamID: String
    /// Of the key, ten letters and digits.
    package let keyID: String
    package let publicKey: ES256PublicKey

    package init(teamID: String, keyID: String, publicKey: ES256PublicKey) {
        self.teamID = teamID
        self.keyID = keyID
        self.publicKey = publicKey
    }
}
