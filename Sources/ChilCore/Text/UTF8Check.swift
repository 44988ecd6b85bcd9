/// Well-formedness of UTF-8 by the table of Unicode §3.9 (D92): no overlong form, no surrogate, nothing above U+10FFFF.
enum UTF8Check {
    /// The bytes of the non-ASCII sequence that begins at `at`; 0 if it is ill-formed.
    @inline(__always)
    static func sequenceLength(in raw: UnsafeRawBufferPointer, at: Int) -> Int {
        let lead = raw[at]
        let left = raw.count - at
        switch lead {
        case 0xC2...0xDF:
            return left >= 2 && isContinuation(raw[at + 1]) ? 2 : 0
        case 0xE0...0xEF:
            guard left >= 3, isContinuation(raw[at + 1]), isContinuation(raw[at + 2]) else { return 0 }
            if lead == 0xE0, raw[at + 1] < 0xA0 { return 0 }
            if lead == 0xED, raw[at + 1] > 0x9F { return 0 }
            return 3
        case 0xF0...0xF4:
            guard left >= 4, isContinuation(raw[at + 1]), isContinuation(raw[at + 2]), isContinuation(raw[at + 3])
            else { return 0 }
            if lead == 0xF0, raw[at + 1] < 0x90 { return 0 }
            if lead == 0xF4, raw[at + 1] > 0x8F { return 0 }
            return 4
        default:
            return 0
        }
    }

    @inline(__always)
    private static func isContinuation(_ byte: UInt8) -> Bool {
        byte & 0xC0 == 0x80
    }
}
