/// How a text that is UTF-8 already (PostgreSQL gives nothing else) stands in JSON.
///
/// Escaped: `"`, `\`, U+0000–U+001F, U+007F, and U+2028/U+2029, which end a line in scripts before ES2019.
package enum JSONText {
    /// Bytes of the text escaped and in quotation marks.
    package static func byteCount(of raw: UnsafeRawBufferPointer) -> Int {
        var count = raw.count + 2
        var at = 0
        while at < raw.count {
            if at + 8 <= raw.count, !needsLook(raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) {
                at += 8
                continue
            }
            let length = needsLook(raw[at]) ? escapedLength(raw, at) : 0
            if length > 0 { count += escapeByteCount(raw[at]) - length }
            at += max(length, 1)
        }
        return count
    }

    /// Eight bytes at once: a byte is below 0x20, or equal to one of four, exactly when the subtraction borrows into its top bit
    /// and the byte itself has none (a borrow from a neighbour only asks for a look in vain).
    @inline(__always)
    static func needsLook(_ eight: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops = ones << 7
        let quote = eight ^ ones &* 0x22
        let backslash = eight ^ ones &* 0x5C
        let delete = eight ^ ones &* 0x7F
        let separator = eight ^ ones &* 0xE2
        let found =
            (eight &- ones &* 0x20) & ~eight | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
            | (delete &- ones) & ~delete | (separator &- ones) & ~separator
        return found & tops != 0
    }

    @inline(__always)
    static func needsLook(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xE2
    }

    /// The bytes that must not stand as they are; 0 if it only looked so.
    static func escapedLength(_ raw: UnsafeRawBufferPointer, _ at: Int) -> Int {
        guard raw[at] == 0xE2 else { return 1 }
        return at + 2 < raw.count && raw[at + 1] == 0x80 && raw[at + 2] & 0xFE == 0xA8 ? 3 : 0
    }

    private static func escapeByteCount(_ first: UInt8) -> Int {
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x0A, 0x0D, 0x09: 2
        default: 6
        }
    }
}

extension ByteCursor {
    /// A text that is UTF-8 already, in quotation marks, escaped: `JSONText.byteCount(of:)` bytes.
    package mutating func append(jsonUTF8 raw: UnsafeRawBufferPointer) {
        append(byte: UInt8(ascii: "\""))
        var at = 0
        while at < raw.count {
            if at + 8 <= raw.count {
                let eight = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                if !JSONText.needsLook(eight) {
                    take(8).storeBytes(of: eight, as: UInt64.self)
                    at += 8
                    continue
                }
            }
            let length = JSONText.needsLook(raw[at]) ? JSONText.escapedLength(raw, at) : 0
            if length > 0 { appendEscape(raw, at, length) } else { append(byte: raw[at]) }
            at += max(length, 1)
        }
        append(byte: UInt8(ascii: "\""))
    }

    private mutating func appendEscape(_ raw: UnsafeRawBufferPointer, _ at: Int, _ length: Int) {
        if length == 3 {
            if raw[at + 2] == 0xA8 { append("\\u2028") } else { append("\\u2029") }
            return
        }
        switch raw[at] {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            append(bytes: Hex.encode([raw[at]]))
        }
    }
}
