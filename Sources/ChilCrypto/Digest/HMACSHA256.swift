/// HMAC-SHA-256 (RFC 2104) with one key, which is worked in once and kept as the states after its two pads.
///
/// Sendable: the states never change until they are overwritten with the last owner.
package final class HMACSHA256: @unchecked Sendable {
    private var pads: HMACPads

    /// Any length of key, also none.
    package init(key: UnsafeRawBufferPointer) {
        pads = HMACPads(key: key)
    }

    package convenience init(key: SecretBytes) {
        let raw = key.raw
        self.init(key: raw)
        withExtendedLifetime(key) {}
    }

    package convenience init(key: [UInt8]) {
        self.init(key: SecretBytes(copying: key))
    }

    deinit { pads.cleanse() }

    /// The code of a message under a key that has no other.
    package static func code(of message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> Digest256 {
        var pads = HMACPads(key: key)
        defer { pads.cleanse() }
        return pads.code { $0.update(message) }
    }

    /// The code of a message.
    package func code(of message: UnsafeRawBufferPointer) -> Digest256 {
        pads.code { $0.update(message) }
    }

    /// The code of a message.
    package func code(of message: [UInt8]) -> Digest256 {
        message.withUnsafeBytes { code(of: $0) }
    }
}
