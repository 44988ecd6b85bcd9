package import ChilCore
package import ChilCrypto

/// Makes a tenant's access tokens: ES256 JWTs under the tenant's own key, in the form of RFC 9068.
package struct AccessTokenIssuer: Sendable {
    package let issuer: String
    package let audience: String
    package let keyID: String
    private let key: SigningKey
    private let encodedHeader: [UInt8]

    /// - Parameters:
    ///   - issuer: `<PUBLIC_URL>/<slug>`.
    ///   - audience: the tenant's slug.
    package init(issuer: String, audience: Slug, keyID: String, key: ES256PrivateKey) {
        self.issuer = issuer
        self.audience = audience.text
        self.keyID = keyID
        self.key = .es256(key)
        encodedHeader = CompactJWS.encodedHeader(type: AccessToken.type, keyID: keyID, key: .es256(key))
    }

    /// A token that is good from now on for so long, in whole seconds.
    package func issue(
        user: UserID,
        session: SessionID,
        generation: Int32,
        at now: Timestamp,
        for lifetime: Duration = AccessToken.lifetime
    ) throws(CryptoError) -> [UInt8] {
        var claims = ByteWriter(capacity: 256)
        claims.append("{\"iss\":")
        claims.append(json: issuer)
        claims.append(",\"aud\":")
        claims.append(json: audience)
        claims.append(",\"sub\":\"")
        claims.append(decimal: user.rawValue)
        claims.append("\",\"sid\":")
        claims.append(json: session)
        claims.append(",\"gen\":")
        claims.append(decimal: Int64(generation))
        claims.append(",\"iat\":")
        claims.append(decimal: now.seconds)
        claims.append(",\"exp\":")
        claims.append(decimal: (now + lifetime).seconds)
        claims.append("}")
        return try CompactJWS.make(payload: claims.finish(), under: encodedHeader, key: key)
    }
}
