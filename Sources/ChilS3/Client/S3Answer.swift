import ChilHTTP

/// What of S3's XML is needed: the texts of elements, in order. S3's answers have no attributes, comments or CDATA in them.
enum S3XML {
    static func texts(of element: String, in bytes: some Collection<UInt8>) -> [String] {
        let (open, close) = ("<\(element)>", "</\(element)>")
        var texts: [String] = []
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while let start = rest.firstRange(of: open) {
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: close) else { break }
            texts.append(unescaped(rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return texts
    }

    /// The predefined entities (XML 1.0 §4.6), the ampersand last.
    static func unescaped(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        var plain = String(text)
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            plain = plain.replacing(entity, with: character)
        }
        return plain
    }
}

extension ClientResponse {
    /// `NoSuchKey` and the like; `nil` where there is none.
    var s3Code: String? { S3XML.texts(of: "Code", in: body).first }
}
