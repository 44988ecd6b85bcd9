internal import COpenSSL

/// Signs RS256 (RFC 7518 §3.3), for the development issuer: the service itself signs with ES256.
///
/// Sendable: immutable, and its contexts are lent to one caller at a time.
package final class RS256PrivateKey: Sendable {
    package let publicKey: RS256PublicKey
    private let key: EVPKey
    private let contexts: KeyContextPool

    /// A fresh key with the exponent 65537. Takes some 100 ms: never on a loop.
    package convenience init(bits: Int = 2_048) throws(CryptoError) {
        guard RS256PublicKey.modulusBits.contains(bits) else {
            throw CryptoError(.badParameter, "an RSA key has 2048 to 8192 bits here: ask for such a size")
        }
        try self.init(key: EVPKey(generating: .rsa, bits: bits))
    }

    /// From PKCS#8 in DER (RFC 5958).
    package convenience init(pkcs8: SecretBytes) throws(CryptoError) {
        try self.init(key: EVPKey(pkcs8: pkcs8, kind: .rsa))
    }

    /// From the text of a PEM file with one `PRIVATE KEY`.
    package convenience init(pem: [UInt8]) throws(CryptoError) {
        try self.init(pkcs8: PrivateKeyPEM.decode(pem))
    }

    private init(key: EVPKey) throws(CryptoError) {
        self.key = key
        publicKey = try RS256PublicKey(
            modulus: key.number(EVPKey.Parameter.modulus).bytes,
            exponent: key.number(EVPKey.Parameter.exponent).bytes
        )
        contexts = KeyContextPool(key: key, operation: .signRSA)
    }

    /// The signature over a message, as long as the modulus.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let digest = SHA256.digest(of: message)
        var signature = [UInt8](repeating: 0, count: publicKey.modulus.count)
        let signed = try contexts.withContext { context in
            digest.withUnsafeBytes { digest in
                var count = signature.count
                return EVP_PKEY_sign(
                    context,
                    &signature,
                    &count,
                    digest.bindMemory(to: UInt8.self).baseAddress,
                    digest.count
                )
            }
        }
        guard signed == 1 else { throw CryptoError(.library, "nothing was signed: check OpenSSL's installation") }
        return signature
    }

    /// The text of a PEM file.
    package func pem() throws(CryptoError) -> SecretBytes {
        PrivateKeyPEM.encode(try key.pkcs8())
    }
}
