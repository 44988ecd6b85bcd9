package import ChilCrypto

/// A private key with the algorithm that it alone serves.
package enum SigningKey: Sendable {
    case es256(ES256PrivateKey)
    case rs256(RS256PrivateKey)

    package var algorithm: JWSAlgorithm {
        switch self {
        case .es256: .es256
        case .rs256: .rs256
        }
    }

    /// The half that is published.
    package var verificationKey: VerificationKey {
        switch self {
        case .es256(let key): .es256(key.publicKey)
        case .rs256(let key): .rs256(key.publicKey)
        }
    }

    /// The signature in JWS form.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        switch self {
        case .es256(let key): try key.sign(message)
        case .rs256(let key): try key.sign(message)
        }
    }
}
