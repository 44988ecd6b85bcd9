package import ChilCrypto

/// What calls are made with.
package struct EpsonToken: Sendable {
    /// Counts the account's tokens.
    package let number: Int64
    package let access: SecretBytes
    /// What the service calls the printer; of generation 1 alone.
    package let deviceID: String?

    package init(number: Int64, access: SecretBytes, deviceID: String?) {
        self.number = number
        self.access = access
        self.deviceID = deviceID
    }
}

/// Gives tokens: from where they are kept, or new ones.
package protocol EpsonTokens {
    /// - Parameter refused: the token that the service did not take; another is wanted.
    func token(insteadOf refused: EpsonToken?) async throws(EpsonFault) -> EpsonToken
}

/// What the service gives for a secret, a code or a refresh token.
package struct EpsonGrant: Sendable {
    package let access: SecretBytes
    /// Of generation 2: the old one is of no use any more.
    package let refresh: SecretBytes?
    package let lifetime: Duration
    package let deviceID: String?
}
