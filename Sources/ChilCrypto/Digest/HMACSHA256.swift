internal import COpenSSL

/// HMAC-SHA-256 (RFC 2104) with one key, which is worked in once and kept as the states after its two pads.
///
/// Sendable: the states never change until they are overwritten with the last owner.
package final class HMACSHA256: @unchecked Sendable {
    private var inner = SHA256.State()
    private var outer = SHA256.State()

    private static let blockBytes = 64

    /// Any length of key, also none.
    package init(key: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(byteCount: Self.blockBytes, alignment: 8) { pad in
            pad.initializeMemory(as: UInt8.self, repeating: 0)
            if key.count > Self.blockBytes {
                SHA256.digest(of: key).withUnsafeBytes { pad.copyMemory(from: $0) }
            } else {
                pad.copyMemory(from: key)
            }
            for index in pad.indices { pad[index] ^= 0x36 }
            inner.update(UnsafeRawBufferPointer(pad))
            for index in pad.indices { pad[index] ^= 0x36 ^ 0x5C }
            outer.update(UnsafeRawBufferPointer(pad))
            OPENSSL_cleanse(pad.baseAddress, pad.count)
        }
    }

    package convenience init(key: SecretBytes) {
        let raw = key.raw
        self.init(key: raw)
        withExtendedLifetime(key) {}
    }

    package convenience init(key: [UInt8]) {
        self.init(key: SecretBytes(copying: key))
    }

    deinit {
        inner.cleanse()
        outer.cleanse()
    }

    /// The code of a message.
    package func code(of message: UnsafeRawBufferPointer) -> Digest256 {
        var inner = inner
        var outer = outer
        defer {
            inner.cleanse()
            outer.cleanse()
        }
        inner.update(message)
        let digest = inner.finish()
        digest.withUnsafeBytes { outer.update($0) }
        return outer.finish()
    }

    /// The code of a message.
    package func code(of message: [UInt8]) -> Digest256 {
        message.withUnsafeBytes { code(of: $0) }
    }
}
