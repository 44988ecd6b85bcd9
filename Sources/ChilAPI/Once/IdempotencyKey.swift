import ChilHTTP

/// The value of `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a structured field's string, `"8e03978e-…"`; without the
/// quotes too, as many clients send it. Both spell the same key.
struct IdempotencyKey: Equatable {
    static let bytesMax = 128
    /// A guest's: 128 bits as base64 writes them. All guests are one user, and whoever guesses another's key gets that one's answer.
    static let guestBytesMin = 22

    let bytes: [UInt8]

    /// What the request has; `nil`: none.
    ///
    /// - Throws: `Problem.invalidIdempotencyKey`, `.guessableIdempotencyKey`. A second line is refused with the head.
    static func read(_ head: RequestHead, isGuest: Bool = false) throws(Problem) -> IdempotencyKey? {
        guard let value = head.field(.idempotencyKey) else { return nil }
        guard let key = IdempotencyKey(value) else { throw .invalidIdempotencyKey }
        if isGuest, key.bytes.count < guestBytesMin { throw .guessableIdempotencyKey }
        return key
    }

    init?(_ value: ArraySlice<UInt8>) {
        let bytes = value.first == Self.quote ? Self.unquoted(value) : Self.bare(value)
        guard let bytes, (1...Self.bytesMax).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// RFC 9651 §4.2.5; parameters behind it are none of the draft's.
    private static func unquoted(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = value.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case quote: return rest.isEmpty ? bytes : nil
            case backslash:
                guard let escaped = rest.popFirst(), escaped == quote || escaped == backslash else { return nil }
                bytes.append(escaped)
            case 0x20...0x7e: bytes.append(byte)
            default: return nil
            }
        }
        return nil
    }

    /// A token with digits in front as well (UUIDs), without what parts fields and parameters.
    private static func bare(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        let isPlain = value.allSatisfy { byte in
            (0x21...0x7e).contains(byte) && byte != quote && byte != backslash && byte != UInt8(ascii: ",")
                && byte != UInt8(ascii: ";")
        }
        return isPlain ? Array(value) : nil
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
