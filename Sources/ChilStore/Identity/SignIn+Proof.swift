package import ChilCore

extension SignIn {
    /// An address from the token's signed claims.
    package struct Email: Sendable {
        package let address: String
        package let isVerified: Bool?
        package let isPrivate: Bool?

        package init(address: String, isVerified: Bool?, isPrivate: Bool?) {
            self.address = address
            self.isVerified = isVerified
            self.isPrivate = isPrivate
        }
    }

    /// What the token proved.
    package struct Proof: Sendable {
        package let provider: ProviderID
        /// The audience.
        package let clientID: String
        package let subject: String
        /// Leads to the subject that the user had before a team transfer.
        package let transferSubject: String?
        /// SHA-256 of the nonce; `nil` where the provider's policy demands none of the server's.
        package let nonceDigest: [UInt8]?
        /// SHA-256 of what is signed in the token.
        package let tokenDigest: [UInt8]
        /// By the provider's clock: what was made before consent was revoked, or before an account ended, signs nobody in.
        package let tokenIssued: Timestamp
        package let tokenExpires: Timestamp
        package let email: Email?

        package init(
            provider: ProviderID,
            clientID: String,
            subject: String,
            transferSubject: String? = nil,
            nonceDigest: [UInt8]?,
            tokenDigest: [UInt8],
            tokenIssued: Timestamp,
            tokenExpires: Timestamp,
            email: Email?
        ) {
            self.provider = provider
            self.clientID = clientID
            self.subject = subject
            self.transferSubject = transferSubject
            self.nonceDigest = nonceDigest
            self.tokenDigest = tokenDigest
            self.tokenIssued = tokenIssued
            self.tokenExpires = tokenExpires
            self.email = email
        }
    }
}
