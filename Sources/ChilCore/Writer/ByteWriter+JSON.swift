extension ByteWriter {
    /// `true` or `false`.
    @inlinable
    package mutating func append(json flag: Bool) {
        if flag { append("true") } else { append("false") }
    }

    @inlinable
    package mutating func appendNull() {
        append("null")
    }

    /// A number, or `null`.
    @inlinable
    package mutating func append(json number: Int64?) {
        if let number { append(decimal: number) } else { appendNull() }
    }

    /// A row's number.
    @inlinable
    package mutating func append<Kind>(json identifier: Identifier<Kind>) {
        append(decimal: identifier.rawValue)
    }

    /// A moment in quotation marks.
    package mutating func append(json moment: Timestamp) {
        append(byte: UInt8(ascii: "\""))
        append(rfc3339: moment)
        append(byte: UInt8(ascii: "\""))
    }

    /// A moment in quotation marks, or `null`.
    package mutating func append(json moment: Timestamp?) {
        if let moment { append(json: moment) } else { appendNull() }
    }

    /// A text in quotation marks, escaped.
    package mutating func append(json text: String) {
        var text = text
        text.withUTF8 { append(jsonUTF8: UnsafeRawBufferPointer($0)) }
    }

    /// A text in quotation marks, or `null`.
    package mutating func append(json text: String?) {
        if let text { append(json: text) } else { appendNull() }
    }

    /// A text that is UTF-8 already (PostgreSQL gives nothing else), in quotation marks, escaped.
    ///
    /// Escaped: `"`, `\`, U+0000–U+001F, U+007F, and U+2028/U+2029, which end a line in scripts before ES2019.
    package mutating func append(jsonUTF8 raw: UnsafeRawBufferPointer) {
        reserve(raw.count + 2)
        append(byte: UInt8(ascii: "\""))
        var start = 0
        var at = 0
        while at < raw.count {
            if at + 8 <= raw.count, !Self.needsLook(raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) {
                at += 8
                continue
            }
            guard Self.needsLook(raw[at]) else {
                at += 1
                continue
            }
            let length = Self.escapedLength(raw, at)
            if length > 0 {
                append(raw: UnsafeRawBufferPointer(rebasing: raw[start..<at]))
                appendEscape(raw, at, length)
                at += length
                start = at
            } else {
                at += 1
            }
        }
        append(raw: UnsafeRawBufferPointer(rebasing: raw[start..<at]))
        append(byte: UInt8(ascii: "\""))
    }

    /// The same for eight bytes at once: a byte is below 0x20, or equal to one of four, exactly when the subtraction
    /// borrows into its top bit and the byte itself has none (a borrow from a neighbour only asks for a look in vain).
    @inline(__always)
    private static func needsLook(_ eight: UInt64) -> Bool {
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
    private static func needsLook(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xE2
    }

    /// The bytes that must not stand as they are; 0 if it only looked so.
    private static func escapedLength(_ raw: UnsafeRawBufferPointer, _ at: Int) -> Int {
        guard raw[at] == 0xE2 else { return 1 }
        return at + 2 < raw.count && raw[at + 1] == 0x80 && raw[at + 2] & 0xFE == 0xA8 ? 3 : 0
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
