import ChilCore
package import ChilCrypto

/// A team's key in a file: the `.p8` itself (PKCS #8), or its public half alone (`openssl pkey -pubout`), both in PEM (RFC 7468).
package enum TeamKeyFile {
    /// SubjectPublicKeyInfo of a P-256 point in uncompressed form, up to the point (RFC 5480 §2).
    private static let header: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
    private static let begin = Array("-----BEGIN PUBLIC KEY-----".utf8)
    private static let end = Array("-----END PUBLIC KEY-----".utf8)

    package static func publicKey(parsing text: [UInt8]) throws(CryptoError) -> ES256PublicKey {
        let lines = text.split { $0 == 0x0A || $0 == 0x0D }.map(Array.init)
        guard lines.first == begin, lines.last == end else { return try ES256PrivateKey(pem: text).publicKey }
        guard let der = Base64.decode(Array(lines.dropFirst().dropLast().joined())), der.count == header.count + 64,
            der.starts(with: header)
        else {
            return try ES256PrivateKey(pem: text).publicKey
        }
        let point = der[header.count...]
        return try ES256PublicKey(x: Array(point.prefix(32)), y: Array(point.suffix(32)))
    }
}
