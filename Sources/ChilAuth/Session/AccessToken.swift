package import ChilCore

/// What a verified access token says. Made by `AccessTokenVerifier` alone.
package struct AccessToken: Equatable, Sendable {
    package let userID: UserID
    package let sessionID: SessionID
    /// The refresh counter of the session when the token was made.
    package let generation: Int32
    package let issued: Timestamp
    package let expires: Timestamp
    /// The tenant's key that signed it.
    package let keyID: String

    /// How long a token lives at most.
    package static let lifetime = Duration.seconds(600)
    /// By how much of it a life is shortened at most.
    package static let jitter = Duration.seconds(30)
    /// RFC 9068 §2.1.
    static let type = "at+jwt"
    /// Longer is none of ours; checked before anything is decoded.
    package static let bytesMax = 2_048

    /// A life up to 5 % shorter than the longest one: clients that signed in at once do not come back at once.
    package static func lifetime(using generator: inout some RandomNumberGenerator) -> Duration {
        lifetime - .seconds(Int64.random(in: 0...jitter.components.seconds, using: &generator))
    }
}
