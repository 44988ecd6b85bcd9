internal import COpenSSL

/// SHA-256 (FIPS 180-4) over bytes that come piece by piece; `digest(of:)` for bytes that are there.
///
/// A value without an allocation: OpenSSL's SHA256_Init(3) family, which has nothing to fail with but a null pointer.
package struct SHA256: ~Copyable, Sendable {
    private var state = State()

    package init() {}

    /// Adds bytes.
    package mutating func update(_ raw: UnsafeRawBufferPointer) { state.update(raw) }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { state.update($0) }
    }

    /// The digest of all that was added.
    package consuming func finish() -> Digest256 { state.finish() }

    /// The digest of some bytes.
    package static func digest(of raw: UnsafeRawBufferPointer) -> Digest256 {
        var state = State()
        state.update(raw)
        return state.finish()
    }

    /// The digest of some bytes.
    package static func digest(of bytes: [UInt8]) -> Digest256 {
        bytes.withUnsafeBytes { digest(of: $0) }
    }

    /// A computation that can be copied midway, which HMAC does.
    struct State: Sendable {
        private var context = SHA256_CTX()

        init() {
            SHA256_Init(&context)
        }

        mutating func update(_ raw: UnsafeRawBufferPointer) {
            guard !raw.isEmpty else { return }
            SHA256_Update(&context, raw.baseAddress, raw.count)
        }

        /// The state is used up then.
        mutating func finish() -> Digest256 {
            withUnsafeTemporaryAllocation(byteCount: Digest256.byteCount, alignment: 8) { out in
                SHA256_Final(out.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
                return Digest256(unchecked: UnsafeRawPointer(out.baseAddress!))
            }
        }

        /// Overwrites what depends on a key.
        mutating func cleanse() {
            OPENSSL_cleanse(&context, MemoryLayout<SHA256_CTX>.size)
        }
    }
}
