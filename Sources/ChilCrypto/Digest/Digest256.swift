import ChilCore

/// A SHA-256 digest, kept as four words: no allocation, cheap as a key of a dictionary.
package struct Digest256: Hashable, Sendable, CustomStringConvertible {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    package static let byteCount = 32

    /// From exactly 32 bytes, else nil.
    package init?(_ raw: UnsafeRawBufferPointer) {
        guard raw.count == Self.byteCount else { return nil }
        self.init(unchecked: raw.baseAddress!)
    }

    /// From exactly 32 bytes, else nil.
    package init?(_ bytes: [UInt8]) {
        guard let digest = bytes.withUnsafeBytes({ Digest256($0) }) else { return nil }
        self = digest
    }

    init(unchecked start: UnsafeRawPointer) {
        words = start.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self)
    }

    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// 64 lower-case digits.
    package var hex: String { String(decoding: withUnsafeBytes { Hex.encode($0) }, as: UTF8.self) }

    package var description: String { hex }

    /// Lends the 32 bytes.
    package func withUnsafeBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer {
        try Swift.withUnsafeBytes(of: words, body)
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.words.0 == right.words.0 && left.words.1 == right.words.1 && left.words.2 == right.words.2
            && left.words.3 == right.words.3
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}
