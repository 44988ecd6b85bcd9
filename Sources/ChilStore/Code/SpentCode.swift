package import ChilCore

package enum ExchangeKind {}

/// The number of a code's exchange, and of its row in the queue.
package typealias ExchangeID = Identifier<ExchangeKind>

/// The authorization code that a sign-in spends.
///
/// Sent again within its life with the same token, it gives the same session: the client lost the answer.
package struct SpentCode: Sendable {
    /// How long a provider keeps a code (Apple: "single use, five minutes"), and how long one sent again finds its session.
    package static let lifetime = Duration.seconds(300)

    /// An exchange that a worker does once the session is there.
    package struct Exchange: Sendable {
        package let id: ExchangeID
        /// Sealed for `CodeExchange.sealedColumn`.
        package let sealedCode: [UInt8]

        package init(id: ExchangeID, sealedCode: [UInt8]) {
            self.id = id
            self.sealedCode = sealedCode
        }
    }

    /// SHA-256 of client id, NUL, code.
    package let digest: [UInt8]
    package let expires: Timestamp
    package let exchange: Exchange?
    /// The exchange came first, and the identity token from it.
    package let isExchanged: Bool
    /// Sealed for `TokenRevocation.sealedColumn`.
    package let sealedToken: [UInt8]?

    /// A code that came with an identity token.
    ///
    /// - Parameter exchange: `nil`: nobody can exchange it, the tenant has no credentials.
    package init(digest: [UInt8], beside exchange: Exchange?, at now: Timestamp) {
        self.digest = digest
        self.exchange = exchange
        expires = now + Self.lifetime
        isExchanged = false
        sealedToken = nil
    }

    /// A code that came alone and was exchanged for the identity token.
    ///
    /// - Parameter sealedToken: the provider's refresh token; `nil`: it gave none.
    package init(digest: [UInt8], exchangedFor sealedToken: [UInt8]?, at now: Timestamp) {
        self.digest = digest
        self.sealedToken = sealedToken
        expires = now + Self.lifetime
        isExchanged = true
        exchange = nil
    }
}
