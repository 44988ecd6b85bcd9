/// What a text from outside may be: bounded, and without characters that no one can see or PostgreSQL cannot store.
///
/// Unicode normalisation is not asked for: text is stored and given back byte for byte.
package struct TextRule: Equatable, Sendable {
    package enum Fault: Equatable, Sendable, CustomStringConvertible {
        case empty
        case tooLong(bytesMax: Int)
        case controlCharacter
        case turnedDirection

        /// One sentence that says what to change; safe to show to the sender.
        package var description: String {
            switch self {
            case .empty: "must not be empty"
            case .tooLong(let bytesMax): "must be at most \(bytesMax) bytes of UTF-8"
            case .controlCharacter: "must have no control characters"
            case .turnedDirection:
                "must have no characters that turn the direction of writing (U+202A to U+202E, U+2066 to U+2069)"
            }
        }
    }

    /// Bytes of UTF-8.
    package let bytesMax: Int
    package let allowsEmpty: Bool
    /// Whether U+000A and U+0009 may stand in it.
    package let allowsLines: Bool
    /// Whether embeddings, overrides and isolates of UAX #9 may stand in it: not where it is shown beside other text, as a name is.
    package let allowsTurns: Bool

    package init(bytesMax: Int, allowsEmpty: Bool = false, allowsLines: Bool = false, allowsTurns: Bool = true) {
        self.allowsTurns = allowsTurns
        self.bytesMax = bytesMax
        self.allowsEmpty = allowsEmpty
        self.allowsLines = allowsLines
    }

    /// What is wrong with a text, nil if nothing is. Control characters are C0, DEL and C1 (U+0080–U+009F).
    package func fault(in text: String) -> Fault? {
        let count = text.utf8.count
        if count == 0 { return allowsEmpty ? nil : .empty }
        if count > bytesMax { return .tooLong(bytesMax: bytesMax) }
        if !allowsTurns, text.unicodeScalars.contains(where: \.turnsDirection) { return .turnedDirection }
        if text.utf8.withContiguousStorageIfAvailable(Self.isPlain) == true { return nil }
        var previous: UInt8 = 0
        for byte in text.utf8 {
            let isLine = allowsLines && (byte == 0x0A || byte == 0x09)
            if byte < 0x20 && !isLine || byte == 0x7F { return .controlCharacter }
            if previous == 0xC2, byte < 0xA0 { return .controlCharacter }
            previous = byte
        }
        return nil
    }

    /// Whether there is none of the bytes that need a closer look. Without a way out, so that it is done many bytes at a time.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for byte in bytes {
            found |= byte < 0x20 ? 1 : 0
            found |= byte == 0x7F ? 1 : 0
            found |= byte == 0xC2 ? 1 : 0
        }
        return found == 0
    }
}
