internal import COpenSSL

/// What a key leaves of HMAC-SHA-256 (RFC 2104): the states of the digest after its two pads. Whoever has one cleanses it.
struct HMACPads {
    private var inner = SHA256.State()
    private var outer = SHA256.State()

    private static let blockBytes = 64

    /// Any length of key, also none.
    init(key: UnsafeRawBufferPointer) {
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

    /// The code of the message that `feed` adds.
    func code(_ feed: (inout SHA256.State) -> Void) -> Digest256 {
        var inner = inner
        var outer = outer
        defer {
            inner.cleanse()
            outer.cleanse()
        }
        feed(&inner)
        let digest = inner.finish()
        digest.withUnsafeBytes { outer.update($0) }
        return outer.finish()
    }

    mutating func cleanse() {
        inner.cleanse()
        outer.cleanse()
    }
}
