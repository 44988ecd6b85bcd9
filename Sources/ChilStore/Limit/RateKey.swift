/// Whose bucket of tokens: a keyed digest of 128 bits, so that no address is kept, in memory or in PostgreSQL.
package struct RateKey: Hashable, Sendable {
    package let first: UInt64
    package let second: UInt64

    package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        first = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        second = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// As PostgreSQL has it.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for word in [first, second] { withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }
}
