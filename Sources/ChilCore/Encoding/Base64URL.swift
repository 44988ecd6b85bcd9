/// base64url without padding (RFC 4648 §5, RFC 7515 §2), strict: no `=`, no white space, unused bits zero.
package enum Base64URL {
    private static let alphabet = Base64Alphabet(
        letter62: UInt8(ascii: "-"),
        letter63: UInt8(ascii: "_"),
        padded: false
    )

    /// The ASCII letters of some bytes.
    package static func encode(_ raw: UnsafeRawBufferPointer) -> [UInt8] {
        alphabet.encode(raw)
    }

    /// The ASCII letters of some bytes.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes(alphabet.encode)
    }

    /// Adds the ASCII letters of some bytes to a text.
    package static func append(_ raw: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        alphabet.append(raw, to: &text)
    }

    /// The same as text.
    package static func text(of bytes: [UInt8]) -> String {
        String(decoding: encode(bytes), as: UTF8.self)
    }

    /// The bytes that a text stands for; nil unless it is their one canonical text.
    package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        alphabet.decode(text)
    }

    /// The bytes that a text stands for; nil unless it is their one canonical text.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { alphabet.decode(UnsafeRawBufferPointer($0)) }
    }
}
