/// `*( OWS ";" OWS [ name "=" ( token / quoted-string ) ] )` to the end of a value (RFC 9110 §5.6.6), each name at most once.
struct FieldParameters: Equatable, Sendable {
    private struct Parameter: Equatable, Sendable {
        let name: String
        let value: [UInt8]
    }

    private let all: [Parameter]

    init?(_ reader: inout FieldWordReader) {
        var all: [Parameter] = []
        while true {
            reader.skipBlanks()
            if reader.isAtEnd { break }
            guard reader.skip(ASCII.semicolon) else { return nil }
            reader.skipBlanks()
            guard let name = reader.token() else { continue }
            guard reader.skip(ASCII.equals), let value = reader.value(), !all.contains(where: { $0.name == name })
            else {
                return nil
            }
            all.append(Parameter(name: name, value: value))
        }
        self.all = all
    }

    /// The value of `name`, given in lower case.
    subscript(name: String) -> [UInt8]? {
        all.first { $0.name == name }?.value
    }
}

/// Reads tokens and quoted strings (RFC 9110 §5.6.2, §5.6.4) out of a field's value.
struct FieldWordReader {
    private let bytes: ArraySlice<UInt8>
    private var at: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        at = bytes.startIndex
    }

    var isAtEnd: Bool { at == bytes.endIndex }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard !isAtEnd, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    mutating func skipBlanks() {
        while !isAtEnd, ASCII.isBlank(bytes[at]) { at += 1 }
    }

    /// A token in lower case.
    mutating func token() -> String? {
        let start = at
        return skipToken() ? Self.lowered(bytes[start..<at]) : nil
    }

    /// Two tokens and the slash between them, in lower case.
    mutating func tokenPair() -> String? {
        let start = at
        return skipToken() && skip(ASCII.slash) && skipToken() ? Self.lowered(bytes[start..<at]) : nil
    }

    private mutating func skipToken() -> Bool {
        let masks = ByteTable.shared.masks
        let start = at
        while !isAtEnd, masks[Int(bytes[at])] & ByteTable.token != 0 { at += 1 }
        return at > start
    }

    private static func lowered(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.withUnsafeBytes { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { text in
                for (index, byte) in bytes.enumerated() { text[index] = ASCII.lowered(byte) }
                return bytes.count
            }
        }
    }

    /// A token as it is, or what a quoted string means.
    mutating func value() -> [UInt8]? {
        let masks = ByteTable.shared.masks
        if !skip(ASCII.quote) {
            let start = at
            while !isAtEnd, masks[Int(bytes[at])] & ByteTable.token != 0 { at += 1 }
            return at == start ? nil : Array(bytes[start..<at])
        }
        var value: [UInt8] = []
        while !isAtEnd {
            var byte = bytes[at]
            at += 1
            if byte == ASCII.quote { return value }
            if byte == ASCII.backslash {
                guard !isAtEnd, masks[Int(bytes[at])] & ByteTable.fieldValue != 0 else { return nil }
                byte = bytes[at]
                at += 1
            } else if masks[Int(byte)] & ByteTable.quotedText == 0 {
                return nil
            }
            value.append(byte)
        }
        return nil
    }
}
