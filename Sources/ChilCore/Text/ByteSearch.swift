/// Looks for a byte eight bytes at a time.
package enum ByteSearch {
    /// Where `byte` first is at or after `start`; the count of `raw` if it is nowhere.
    package static func first(_ byte: UInt8, in raw: UnsafeRawBufferPointer, from start: Int = 0) -> Int {
        var at = start
        while at + 8 <= raw.count {
            let found =
                UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) ^ each * UInt64(byte)
            // The lowest bit that is set belongs to the first zero byte; those above may come of its borrow.
            let marks = (found &- each) & ~found & (each * 0x80)
            if marks != 0 { return at + marks.trailingZeroBitCount / 8 }
            at += 8
        }
        while at < raw.count, raw[at] != byte { at += 1 }
        return at
    }

    /// Times a byte: eight of it.
    private static let each: UInt64 = 0x0101_0101_0101_0101
}
