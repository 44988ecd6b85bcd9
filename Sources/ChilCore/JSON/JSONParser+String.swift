extension JSONParser {
    /// A string by RFC 8259 §7, from its opening quotation mark to past its closing one.
    mutating func string() throws(JSONFault) -> String {
        at += 1
        let start = at
        while true {
            passPlainBytes()
            guard at < raw.count else { throw JSONFault(.unexpectedEnd, at: at) }
            let byte = raw[at]
            if byte == UInt8(ascii: "\"") {
                let text = String(decoding: raw[start..<at], as: UTF8.self)
                at += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            try passCharacter(byte)
        }
    }

    /// Goes eight by eight over bytes that mean themselves, up to one that may not: a quotation mark, a backslash, a control character, one
    /// beyond ASCII; or up to the last few.
    private mutating func passPlainBytes() {
        while at + 8 <= raw.count {
            let bytes = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            // A byte is zero exactly if taking 1 from it borrows and its top bit was clear, and below a space if taking 0x20 does so. A
            // borrow may mark the bytes above the first one too, but that one is all that is looked for.
            let quotes = bytes ^ Self.each * UInt64(UInt8(ascii: "\""))
            let backslashes = bytes ^ Self.each * UInt64(UInt8(ascii: "\\"))
            var marks = (quotes &- Self.each) & ~quotes
            marks |= (backslashes &- Self.each) & ~backslashes
            marks |= (bytes &- Self.each * 0x20) & ~bytes
            marks |= bytes
            marks &= Self.each * 0x80
            guard marks == 0 else {
                at += marks.trailingZeroBitCount / 8
                return
            }
            at += 8
        }
    }

    /// Times a byte: eight of it.
    private static let each: UInt64 = 0x0101_0101_0101_0101

    /// The rest of a string that has an escape: its characters are gathered one by one.
    private mutating func escapedString(from start: Int) throws(JSONFault) -> String {
        var text = [UInt8](raw[start..<at])
        while at < raw.count {
            let byte = raw[at]
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try escape(into: &text)
            default:
                let first = at
                try passCharacter(byte)
                text.append(contentsOf: raw[first..<at])
            }
        }
        throw JSONFault(.unexpectedEnd, at: at)
    }

    @inline(__always)
    private mutating func passCharacter(_ byte: UInt8) throws(JSONFault) {
        if byte < 0x80 {
            guard byte >= 0x20 else { throw JSONFault(.rawControlCharacter, at: at) }
            at += 1
        } else {
            let length = UTF8Check.sequenceLength(in: raw, at: at)
            guard length > 0 else { throw JSONFault(.invalidUTF8, at: at) }
            at += length
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
        let start = at
        guard at + 1 < raw.count else { throw JSONFault(.unexpectedEnd, at: raw.count) }
        let kind = raw[at + 1]
        at += 2
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: Unicode.UTF8.encode(try scalar(from: start))!)
        default: throw JSONFault(.badEscape, at: start)
        }
    }

    /// The scalar of `\uXXXX` or of a pair of them.
    private mutating func scalar(from start: Int) throws(JSONFault) -> Unicode.Scalar {
        let first = try fourHexDigits(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, at + 1 < raw.count, raw[at] == UInt8(ascii: "\\"), raw[at + 1] == UInt8(ascii: "u")
        else { throw JSONFault(.loneSurrogate, at: start) }
        at += 2
        let second = try fourHexDigits(from: start)
        guard 0xDC00...0xDFFF ~= second else { throw JSONFault(.loneSurrogate, at: start) }
        guard let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) else {
            throw JSONFault(.loneSurrogate, at: start)
        }
        return scalar
    }

    private mutating func fourHexDigits(from start: Int) throws(JSONFault) -> UInt32 {
        guard at + 4 <= raw.count else { throw JSONFault(.unexpectedEnd, at: raw.count) }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = raw[at]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw JSONFault(.badEscape, at: start)
            }
            value = value << 4 | UInt32(digit)
            at += 1
        }
        return value
    }
}
