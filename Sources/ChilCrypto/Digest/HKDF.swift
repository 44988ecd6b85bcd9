/// HKDF with SHA-256 (RFC 5869): keys from a key.
package enum HKDF {
    /// RFC 5869 §2.3.
    package static let outputBytesMax = 255 * Digest256.byteCount

    /// `count` bytes bound to a salt and a purpose; nil if more than 8,160 are asked for.
    package static func derive(
        from key: SecretBytes,
        salt: [UInt8] = [],
        info: [UInt8],
        count: Int = 32
    ) -> SecretBytes? {
        guard 0...outputBytesMax ~= count else { return nil }
        let extracted = key.withUnsafeBytes { HMACSHA256(key: salt).code(of: $0) }
        let expander = extracted.withUnsafeBytes { HMACSHA256(key: $0) }
        var output: [UInt8] = []
        output.reserveCapacity(count + Digest256.byteCount)
        var block: [UInt8] = []
        var counter: UInt8 = 1
        while output.count < count {
            block = expander.code(of: block + info + [counter]).bytes
            output += block
            counter &+= 1
        }
        output.removeLast(output.count - count)
        let secret = SecretBytes(copying: output)
        ConstantTime.cleanse(&output)
        ConstantTime.cleanse(&block)
        return secret
    }

    /// The same with the purpose as text, 32 bytes.
    package static func subkey(of key: SecretBytes, salt: [UInt8] = [], purpose: StaticString) -> SecretBytes {
        let info = Array(UnsafeBufferPointer(start: purpose.utf8Start, count: purpose.utf8CodeUnitCount))
        // 32 is within the limit, so there is always an answer.
        return derive(from: key, salt: salt, info: info) ?? SecretBytes(copying: [])
    }
}
