extension JSONParser {
    /// A number by RFC 8259 §6, kept as it is written.
    mutating func number() throws(JSONFault) -> JSONNumber {
        let start = at
        if raw[at] == UInt8(ascii: "-") { at += 1 }
        guard at < raw.count else { throw JSONFault(.unexpectedEnd, at: at) }
        if raw[at] == UInt8(ascii: "0") {
            at += 1
        } else {
            try digits(from: start)
        }
        if at < raw.count, raw[at] == UInt8(ascii: ".") {
            at += 1
            try digits(from: start)
        }
        if at < raw.count, raw[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < raw.count, raw[at] == UInt8(ascii: "+") || raw[at] == UInt8(ascii: "-") { at += 1 }
            try digits(from: start)
        }
        // Said here, for `01` and `1a` would else be blamed on the container.
        if at < raw.count, isWordByte(raw[at]) { throw JSONFault(.badNumber, at: start) }
        return JSONNumber(literal: String(decoding: raw[start..<at], as: UTF8.self))
    }

    private mutating func digits(from start: Int) throws(JSONFault) {
        let first = at
        while at < raw.count, raw[at] &- UInt8(ascii: "0") < 10 { at += 1 }
        if at == first {
            throw JSONFault(at == raw.count ? .unexpectedEnd : .badNumber, at: at == raw.count ? at : start)
        }
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }
}
