/// A Content-Type's value (RFC 9110 §8.3.1): type, subtype and parameters, each name at most once.
package struct MediaType: Equatable, Sendable {
    /// `type/subtype` in lower case.
    package let essence: String
    private let parameters: FieldParameters

    /// Nil if `bytes` are no media type. An empty parameter (`a/b;`) is let through, as §5.6.6 has it.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var reader = FieldWordReader(bytes)
        guard let essence = reader.tokenPair(), let parameters = FieldParameters(&reader) else { return nil }
        self.essence = essence
        self.parameters = parameters
    }

    package func parameter(_ name: String) -> [UInt8]? {
        parameters[name]
    }

    /// Whether the text of the body is UTF-8: it says so, or says nothing.
    package var isUTF8: Bool {
        guard let charset = parameter("charset") else { return true }
        return String(decoding: charset, as: UTF8.self).lowercased() == "utf-8"
    }

    /// The boundary of a multipart type (RFC 2046 §5.1.1): 1 to 70 characters of its alphabet, no space at the end.
    package var boundary: [UInt8]? {
        guard let value = parameter("boundary"), 1...70 ~= value.count, value.last != ASCII.space else { return nil }
        let punctuation = "'()+_,-./:=? ".utf8
        let isValid = value.allSatisfy { byte in
            ASCII.isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || punctuation.contains(byte)
        }
        return isValid ? value : nil
    }
}

extension RequestHead {
    /// The body's type; nil if there is none or it is malformed.
    package var mediaType: MediaType? { field(.contentType).flatMap(MediaType.init) }
}
