package import ChilCrypto

/// Signs identity tokens like an issuer does, for the development issuer and tests. No service has one.
package struct DevelopmentTokenMaker: Sendable {
    package let keyID: String
    package let key: SigningKey

    package init(keyID: String, key: SigningKey) {
        self.keyID = keyID
        self.key = key
    }

    /// A compact JWS of claims that are JSON already; nothing in them is checked, so that bad ones can be made too.
    package func token(claims json: [UInt8]) throws(CryptoError) -> [UInt8] {
        try CompactJWS.make(payload: json, type: nil, keyID: keyID, key: key)
    }

    /// The public key, for the issuer's key set (`JWKSet.json`).
    package var jwk: JWK { JWK(keyID: keyID, key: key.verificationKey) }
}
