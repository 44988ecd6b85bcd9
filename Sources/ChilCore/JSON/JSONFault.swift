/// Why bytes are not the JSON that is taken here, and where.
package struct JSONFault: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case tooLong(bytesMax: Int)
        case tooDeep(depthMax: Int)
        case tooManyValues(valuesMax: Int)
        case byteOrderMark
        case invalidUTF8
        case unexpectedEnd
        case unexpectedByte
        case trailingBytes
        case badNumber
        case badEscape
        case loneSurrogate
        case rawControlCharacter
        case repeatedMember
    }

    package let reason: Reason
    /// Bytes before the fault.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// One sentence that says what to change; safe to show to the sender.
    package var description: String { "\(sentence) (byte \(offset))" }

    private var sentence: String {
        switch reason {
        case .tooLong(let bytesMax): "The JSON text is too long: send at most \(bytesMax) bytes."
        case .tooDeep(let depthMax): "The JSON text is nested too deeply: nest at most \(depthMax) levels."
        case .tooManyValues(let valuesMax): "The JSON text has too many values: send at most \(valuesMax)."
        case .byteOrderMark: "The JSON text begins with a byte order mark: send UTF-8 without one (RFC 8259 §8.1)."
        case .invalidUTF8: "The JSON text is not UTF-8: encode it as UTF-8 (RFC 8259 §8.1)."
        case .unexpectedEnd: "The JSON text ends too early: send it whole."
        case .unexpectedByte: "The JSON text has a byte that cannot stand here: write it by the grammar of RFC 8259."
        case .trailingBytes: "Something follows the JSON value: send exactly one value."
        case .badNumber: "A number is malformed: write it by RFC 8259 §6."
        case .badEscape: "An escape in a string is malformed: write it by RFC 8259 §7."
        case .loneSurrogate: "A string has half of a surrogate pair: write both halves or neither."
        case .rawControlCharacter: "A string has a raw control character: escape it."
        case .repeatedMember: "An object has the same member twice: send each member once."
        }
    }
}
