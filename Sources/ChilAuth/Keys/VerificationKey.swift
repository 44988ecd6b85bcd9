package import ChilCrypto

/// A public key with the algorithm that it alone serves: the key decides, never the token's header.
package enum VerificationKey: Sendable {
    case es256(ES256PublicKey)
    case rs256(RS256PublicKey)

    package var algorithm: JWSAlgorithm {
        switch self {
        case .es256: .es256
        case .rs256: .rs256
        }
    }

    /// Whether a signature in JWS form is this key's over a message of that SHA-256 digest.
    package func accepts(_ signature: [UInt8], over digest: Digest256) -> Bool {
        signature.withUnsafeBytes { signature in
            switch self {
            case .es256(let key): key.accepts(signature, over: digest)
            case .rs256(let key): key.accepts(signature, over: digest)
            }
        }
    }
}
