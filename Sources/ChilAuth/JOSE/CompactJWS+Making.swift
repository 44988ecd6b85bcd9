import ChilCore
package import ChilCrypto

extension CompactJWS {
    /// The compact form of a payload under a header, signed. The header's `alg` must be the key's; `typ` only if given.
    package static func make(
        payload: [UInt8],
        type: String?,
        keyID: String,
        key: SigningKey
    ) throws(CryptoError) -> [UInt8] {
        try make(payload: payload, under: encodedHeader(type: type, keyID: keyID, key: key), key: key)
    }

    /// The first part of all tokens of one key, for those who make many.
    static func encodedHeader(type: String?, keyID: String, key: SigningKey) -> [UInt8] {
        var header = ByteWriter(capacity: 128)
        header.append("{\"alg\":")
        header.append(json: key.algorithm.rawValue)
        header.append(",\"kid\":")
        header.append(json: keyID)
        if let type {
            header.append(",\"typ\":")
            header.append(json: type)
        }
        header.append("}")
        return Base64URL.encode(header.finish())
    }

    /// The same as `make(payload:type:keyID:key:)`.
    static func make(
        payload: [UInt8],
        under encodedHeader: [UInt8],
        key: SigningKey
    ) throws(CryptoError) -> [UInt8] {
        var token: [UInt8] = []
        token.reserveCapacity(encodedHeader.count + (payload.count * 4 + 2) / 3 + signatureLetters + 2)
        token += encodedHeader
        token.append(UInt8(ascii: "."))
        payload.withUnsafeBytes { Base64URL.append($0, to: &token) }
        let signature = try key.sign(token)
        token.append(UInt8(ascii: "."))
        signature.withUnsafeBytes { Base64URL.append($0, to: &token) }
        return token
    }

    /// Of ES256, as base64url.
    private static let signatureLetters = 86
}
