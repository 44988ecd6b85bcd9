internal import COpenSSL

/// Signs ES256 (RFC 7518 §3.4).
///
/// Sendable: immutable, and its contexts are lent to one caller at a time.
package final class ES256PrivateKey: Sendable {
    package let publicKey: ES256PublicKey
    private let key: EVPKey
    private let contexts: KeyContextPool

    /// A fresh key.
    package convenience init() throws(CryptoError) {
        try self.init(key: EVPKey(generating: .ellipticCurveP256))
    }

    /// From PKCS#8 in DER (RFC 5958), as it is kept sealed.
    package convenience init(pkcs8: SecretBytes) throws(CryptoError) {
        try self.init(key: EVPKey(pkcs8: pkcs8, kind: .ellipticCurveP256))
    }

    /// From the text of a PEM file with one `PRIVATE KEY`.
    package convenience init(pem: [UInt8]) throws(CryptoError) {
        try self.init(pkcs8: PrivateKeyPEM.decode(pem))
    }

    private init(key: EVPKey) throws(CryptoError) {
        guard key.groupName == "prime256v1" else {
            throw CryptoError(.badKey, "the private key is not on P-256: make one with that curve")
        }
        guard let x = try key.number(EVPKey.Parameter.x).padded(to: ES256PublicKey.coordinateBytes),
            let y = try key.number(EVPKey.Parameter.y).padded(to: ES256PublicKey.coordinateBytes)
        else { throw CryptoError(.badKey, "the private key has no sound point: restore it from its source") }
        self.key = key
        publicKey = ES256PublicKey(x: x, y: y, key: key)
        contexts = KeyContextPool(key: key, operation: .signECDSA)
    }

    /// r‖s in 64 bytes over a message.
    package func sign(_ message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
        let digest = SHA256.digest(of: message)
        let signature = try contexts.withContext { context in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ES256Signature.derBytesMax) { der -> [UInt8]? in
                var count = der.count
                let signed = digest.withUnsafeBytes {
                    EVP_PKEY_sign(context, der.baseAddress, &count, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
                }
                guard signed == 1 else { return nil }
                return ES256Signature.raw(fromDER: UnsafeBufferPointer(start: der.baseAddress, count: count))
            }
        }
        guard let signature else { throw CryptoError(.library, "nothing was signed: check OpenSSL's random source") }
        return signature
    }

    /// r‖s in 64 bytes over a message.
    package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let outcome = message.withUnsafeBytes { raw in Result { () throws(CryptoError) in try sign(raw) } }
        return try outcome.get()
    }

    /// PKCS#8 in DER.
    package func pkcs8() throws(CryptoError) -> SecretBytes {
        try key.pkcs8()
    }

    /// The text of a PEM file.
    package func pem() throws(CryptoError) -> SecretBytes {
        PrivateKeyPEM.encode(try key.pkcs8())
    }
}
