/// Whether a text is of printable ASCII alone: most names are, and lists have tens of thousands of them.
///
/// Looked at eight bytes at a time; as sequences of bytes they take longer than all else that is done with them.
enum PlainASCII {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    static func isAll(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = UnsafeRawPointer(bytes.baseAddress) else { return true }
            let count = bytes.count
            var index = 0
            while index + 8 <= count {
                guard isPlain(start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) else { return false }
                index += 8
            }
            // What is left stands among spaces.
            var rest = ones &* 0x20
            while index < count {
                rest = rest << 8 | UInt64(start.load(fromByteOffset: index, as: UInt8.self))
                index += 1
            }
            return isPlain(rest)
        }
    }

    /// Each test leaves the high bit of a byte: beyond ASCII, below a space, a delete.
    private static func isPlain(_ word: UInt64) -> Bool {
        let below = (word &- ones &* 0x20) & ~word
        let distance = word ^ (ones &* 0x7F)
        let isDelete = (distance &- ones) & ~distance
        return (word | below | isDelete) & highs == 0
    }
}
