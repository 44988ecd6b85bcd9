/// What an operator calls a database.
struct ContextName: ArgumentValue, Hashable, Sendable {
    static let byteCountMax = 63
    static let expectation =
        "1 to \(byteCountMax) letters, digits, '-', '_' and '.', of which the first is a letter or digit"

    let text: String

    init?(argument: String) {
        guard (1...Self.byteCountMax).contains(argument.utf8.count),
            let first = argument.utf8.first, Self.isWord(first),
            argument.utf8.allSatisfy({ Self.isWord($0) || [0x2D, 0x2E, 0x5F].contains($0) })
        else { return nil }
        text = argument
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
