internal import COpenSSL

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
        return info.withUnsafeBytes { expand(key, salt: salt, info: $0, count: count) }
    }

    /// 32 bytes bound to a salt and a purpose.
    package static func subkey(of key: SecretBytes, salt: [UInt8] = [], purpose: String) -> SecretBytes {
        var purpose = purpose
        return purpose.withUTF8 {
            expand(key, salt: salt, info: UnsafeRawBufferPointer($0), count: Digest256.byteCount)
        }
    }

    private static func expand(
        _ key: SecretBytes,
        salt: [UInt8],
        info: UnsafeRawBufferPointer,
        count: Int
    ) -> SecretBytes {
        var extractor = salt.withUnsafeBytes { HMACPads(key: $0) }
        var expander = key.withUnsafeBytes { key in extractor.code { $0.update(key) } }
            .withUnsafeBytes { HMACPads(key: $0) }
        defer {
            extractor.cleanse()
            expander.cleanse()
        }
        return withUnsafeTemporaryAllocation(byteCount: count + Digest256.byteCount, alignment: 8) { output in
            defer { OPENSSL_cleanse(output.baseAddress, output.count) }
            var written = 0
            var counter: UInt8 = 1
            while written < count {
                let block = expander.code { state in
                    if written > 0 {
                        state.update(UnsafeRawBufferPointer(rebasing: output[written - Digest256.byteCount..<written]))
                    }
                    state.update(info)
                    withUnsafeBytes(of: counter) { state.update($0) }
                }
                block.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: output[written...]).copyMemory(from: $0)
                }
                written += Digest256.byteCount
                counter &+= 1
            }
            return SecretBytes(copying: UnsafeRawBufferPointer(rebasing: output[..<count]))
        }
    }
}
