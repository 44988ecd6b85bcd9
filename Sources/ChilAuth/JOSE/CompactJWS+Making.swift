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
        var token = Base64URL.encode(header.finish())
        token.append(UInt8(ascii: "."))
        token += Base64URL.encode(payload)
        let signature = try key.sign(token)
        token.append(UInt8(ascii: "."))
        token += Base64URL.encode(signature)
        return token
    }
}
