internal import COpenSSL

/// Owns one `BIGNUM` that a key gave out.
struct BigNumber: ~Copyable {
    private let pointer: OpaquePointer

    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { BN_clear_free(pointer) }

    /// Big endian without leading zeros (BN_bn2bin(3)).
    var bytes: [UInt8] {
        padded(to: Int(BN_num_bits(pointer) + 7) / 8) ?? []
    }

    /// Big endian in exactly `count` bytes (BN_bn2binpad(3)); nil if it does not fit.
    func padded(to count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard BN_bn2binpad(pointer, &bytes, Int32(count)) == Int32(count) else { return nil }
        return bytes
    }
}
