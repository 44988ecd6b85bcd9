/// Why bytes are no IPP message, or a message can't be bytes.
package enum IPPCodingFault: Error, Hashable, Sendable {
    case truncated
    case tooLarge(byteCountMax: Int)
    case tooManyAttributes(max: Int)
    case tooDeep(max: Int)
    /// A name or value longer than RFC 8010's signed 16-bit lengths allow.
    case lengthBeyondLimit
    /// The value's length does not fit its syntax.
    case wrongLength(tag: UInt8)
    case attributeOutsideGroup
    case valueWithoutName
    case reservedDelimiter(UInt8)
    case malformedCollection
    /// A request identifier below 1 (RFC 8011 §4.1.2).
    case requestID

    /// For the log, with what to do.
    package var sentence: String {
        "The printer's answer can't be read (\(self)); check that the address is an IPP printer's, and its firmware."
    }
}

/// How large a message may be, and how deep its collections.
package struct IPPLimits: Hashable, Sendable {
    package var byteCountMax = 1_048_576
    package var attributeCountMax = 4_096
    package var depthMax = 8

    package init() {}
    package static let standard = Self()

    /// Lengths are SIGNED-SHORT (RFC 8010 §3.1).
    static let fieldByteCountMax = 32_767
}
