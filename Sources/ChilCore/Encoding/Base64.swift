/// Padded base64 (RFC 4648 §4), strict, for the inside of PEM files.
package enum Base64 {
    private static let alphabet = Base64Alphabet(letter62: UInt8(ascii: "+"), letter63: UInt8(ascii: "/"), padded: true)

    /// The ASCII letters of some bytes, padded with `=`.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes(alphabet.encode)
    }

    /// The bytes that a text stands for; nil unless it is their one canonical text (line breaks are not taken).
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        text.withUnsafeBytes(alphabet.decode)
    }

    /// The bytes that a text stands for; nil unless it is their one canonical text (line breaks are not taken).
    package static func decode(_ text: String) -> [UInt8]? {
        decode(Array(text.utf8))
    }
}
