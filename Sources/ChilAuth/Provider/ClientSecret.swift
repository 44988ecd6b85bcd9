package import ChilCore
package import ChilCrypto

/// The `client_secret` of a call to the provider: an ES256 JWT of the team's, made anew for each call.
///
/// Apple takes one that lives for six months, and most who make such a one forget to make the next. Nothing here is ever
/// near its end. (Apple: "Creating a client secret".)
package enum ClientSecret {
    /// How long one is good for: the call, and how far the clocks differ.
    package static let lifetime = Duration.seconds(300)

    /// - Parameters:
    ///   - clientID: the audience of the user's identity token: a bundle id, or a Services ID.
    ///   - audience: the provider's own name, `https://appleid.apple.com` at Apple.
    package static func token(
        _ credentials: ProviderCredentials,
        clientID: String,
        audience: String,
        at now: Timestamp
    ) throws(CryptoError) -> [UInt8] {
        var claims = ByteWriter(capacity: 256)
        claims.append("{\"iss\":")
        claims.append(json: credentials.teamID)
        claims.append(",\"iat\":")
        claims.append(decimal: now.seconds)
        claims.append(",\"exp\":")
        claims.append(decimal: (now + lifetime).seconds)
        claims.append(",\"aud\":")
        claims.append(json: audience)
        claims.append(",\"sub\":")
        claims.append(json: clientID)
        claims.append("}")
        return try CompactJWS.make(
            payload: claims.finish(),
            type: nil,
            keyID: credentials.keyID,
            key: .es256(credentials.key)
        )
    }
}
