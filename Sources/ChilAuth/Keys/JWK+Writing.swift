import ChilCore
import ChilCrypto

extension JWK {
    package init(keyID: String, key: VerificationKey) {
        self.keyID = keyID
        self.key = key
    }

    /// The thumbprint of RFC 7638: a `kid` that follows from the key.
    package static func thumbprint(of key: VerificationKey) -> String {
        var writer = ByteWriter(capacity: 512)
        writer.append("{")
        switch key {
        case .es256(let key):
            writer.append("\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"")
            writer.append(bytes: Base64URL.encode(key.x))
            writer.append("\",\"y\":\"")
            writer.append(bytes: Base64URL.encode(key.y))
        case .rs256(let key):
            writer.append("\"e\":\"")
            writer.append(bytes: Base64URL.encode(key.exponent))
            writer.append("\",\"kty\":\"RSA\",\"n\":\"")
            writer.append(bytes: Base64URL.encode(key.modulus))
        }
        writer.append("\"}")
        return Base64URL.text(of: SHA256.digest(of: writer.finish()).bytes)
    }

    /// Writes the public key as a member of a set.
    func write(to writer: inout ByteWriter) {
        writer.append("{\"kid\":")
        writer.append(json: keyID)
        writer.append(",\"use\":\"sig\",\"alg\":")
        writer.append(json: key.algorithm.rawValue)
        switch key {
        case .es256(let key):
            writer.append(",\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"")
            writer.append(bytes: Base64URL.encode(key.x))
            writer.append("\",\"y\":\"")
            writer.append(bytes: Base64URL.encode(key.y))
        case .rs256(let key):
            writer.append(",\"kty\":\"RSA\",\"e\":\"")
            writer.append(bytes: Base64URL.encode(key.exponent))
            writer.append("\",\"n\":\"")
            writer.append(bytes: Base64URL.encode(key.modulus))
        }
        writer.append("\"}")
    }
}
