package import ChilCore

/// What a verified access token says. Made by `AccessTokenVerifier` alone.
package struct AccessToken: Equatable, Sendable {
    package let userID: UserID
    package let sessionID: SessionID
    /// The refresh counter of the session when the token was made.
    package let generation: Int32
    package let issued: Timestamp
    package let expires: Timestamp

    /// How long a token lives.
    package static let lifetime = Duration.seconds(600)
    /// RFC 9068 §2.1.
    static let type = "at+jwt"
    /// Longer is none of ours; checked before anything is decoded.
    package static let bytesMax = 2_048
}
