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
        return expand(key, salt: salt, info: info, count: count)
    }

    /// 32 bytes bound to a salt and a purpose.
    package static func subkey(of key: SecretBytes, salt: [UInt8] = [], purpose: String) -> SecretBytes {
        expand(key, salt: salt, info: Array(purpose.utf8), count: Digest256.byteCount)
    }

    private static func expand(_ key: SecretBytes, salt: [UInt8], info: [UInt8], count: Int) -> SecretBytes {
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
        defer {
            ConstantTime.cleanse(&output)
            ConstantTime.cleanse(&block)
        }
        return SecretBytes(copying: output)
    }
}
