extension ByteWriter {
    /// `true` or `false`.
    @inlinable
    package mutating func append(json flag: Bool) {
        if flag { append("true") } else { append("false") }
    }

    @inlinable
    package mutating func appendNull() {
        append("null")
    }

    /// A number, or `null`.
    @inlinable
    package mutating func append(json number: Int64?) {
        if let number { append(decimal: number) } else { appendNull() }
    }

    /// A row's number.
    @inlinable
    package mutating func append<Kind>(json identifier: Identifier<Kind>) {
        append(decimal: identifier.rawValue)
    }

    /// A moment in quotation marks.
    package mutating func append(json moment: Timestamp) {
        append(byte: UInt8(ascii: "\""))
        append(rfc3339: moment)
        append(byte: UInt8(ascii: "\""))
    }

    /// A moment in quotation marks, or `null`.
    package mutating func append(json moment: Timestamp?) {
        if let moment { append(json: moment) } else { appendNull() }
    }

    /// A text in quotation marks, escaped.
    package mutating func append(json text: String) {
        var text = text
        text.withUTF8 { append(jsonUTF8: UnsafeRawBufferPointer($0)) }
    }

    /// A text in quotation marks, or `null`.
    package mutating func append(json text: String?) {
        if let text { append(json: text) } else { appendNull() }
    }

    /// A text that is UTF-8 already, in quotation marks, escaped as `JSONText` says.
    package mutating func append(jsonUTF8 raw: UnsafeRawBufferPointer) {
        append(atMost: JSONText.byteCount(of: raw)) { $0.append(jsonUTF8: raw) }
    }
}
