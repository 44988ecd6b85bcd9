import ChilAuth
import ChilCrypto
import Dispatch

/// Makes keys away from the loop: an RSA key takes a hundred milliseconds.
enum FreshKey {
    static func make(_ algorithm: JWSAlgorithm) async -> Result<SigningKey, CryptoError> {
        await withUnsafeContinuation { continuation in
            make(algorithm) { continuation.resume(returning: $0) }
        }
    }

    static func make(
        _ algorithm: JWSAlgorithm,
        _ done: @escaping @Sendable (Result<SigningKey, CryptoError>) -> Void
    ) {
        DispatchQueue.global().async {
            done(
                Result { () throws(CryptoError) in
                    switch algorithm {
                    case .es256: .es256(try ES256PrivateKey())
                    case .rs256: .rs256(try RS256PrivateKey())
                    }
                }
            )
        }
    }
}
