internal import COpenSSL

/// Verifies RS256 (RSASSA-PKCS1-v1_5 with SHA-256, RFC 7518 §3.3).
///
/// Build once and keep. Sendable: immutable, and its contexts are lent to one caller at a time.
package final class RS256PublicKey: Sendable {
    /// Big endian, no leading zeros.
    package let modulus: [UInt8]
    package let exponent: [UInt8]
    private let contexts: KeyContextPool

    /// RFC 7518 §3.3 demands 2048 bits; above 8192 a verification costs more than a sign-in is worth.
    package static let modulusBits = 2_048...8_192
    /// With 1 a signature is its own message. Key sets of issuers are held to 65537 besides (`JWK`).
    package static let exponentMin: UInt64 = 3

    /// From big-endian numbers; leading zeros are dropped.
    package convenience init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard let top = modulus.first, Self.modulusBits.contains(modulus.count * 8 - top.leadingZeroBitCount) else {
            throw CryptoError(.badKey, "an RSA modulus has 2048 to 8192 bits here: use a key of such a size")
        }
        guard exponent.count <= 8, exponent.reduce(0, { $0 << 8 | UInt64($1) }) >= Self.exponentMin,
            exponent.last.map({ $0 & 1 }) == 1, modulus.last.map({ $0 & 1 }) == 1
        else { throw CryptoError(.badKey, "an RSA exponent is odd and at least 3, a modulus odd: use a sound key") }
        self.init(modulus: modulus, exponent: exponent, key: try EVPKey(modulus: modulus, exponent: exponent))
    }

    init(modulus: [UInt8], exponent: [UInt8], key: EVPKey) {
        self.modulus = modulus
        self.exponent = exponent
        contexts = KeyContextPool(key: key, operation: .verifyRSA)
    }

    /// Whether `signature`, as long as the modulus, is this key's over the message of `digest` (SHA-256). Any
    /// failure is a no.
    package func accepts(_ signature: UnsafeRawBufferPointer, over digest: Digest256) -> Bool {
        guard signature.count == modulus.count else { return false }
        let verdict = try? contexts.withContext { context in
            digest.withUnsafeBytes {
                EVP_PKEY_verify(
                    context,
                    signature.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    signature.count,
                    $0.bindMemory(to: UInt8.self).baseAddress,
                    $0.count
                )
            }
        }
        if verdict != 1 { ErrorQueue.clear() }
        return verdict == 1
    }

    /// Whether it is this key's over `message`.
    package func accepts(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        signature.withUnsafeBytes { accepts($0, over: SHA256.digest(of: message)) }
    }
}
