/// Reads one JSON text (RFC 8259) and refuses what two readers could read in two ways.
///
/// Refused beyond the grammar: a member written twice, half a surrogate pair, bytes that are not UTF-8, a byte order
/// mark, anything after the value, and what exceeds the limits. Numbers keep their literal.
package enum StrictJSON {
    /// The value of a text.
    package static func parse(
        _ raw: UnsafeRawBufferPointer,
        limits: JSONLimits = .body
    ) throws(JSONFault) -> JSONValue {
        guard raw.count <= limits.bytesMax else {
            throw JSONFault(.tooLong(bytesMax: limits.bytesMax), at: limits.bytesMax)
        }
        var parser = JSONParser(raw, limits: limits)
        return try parser.document()
    }

    /// The value of a text.
    package static func parse(_ bytes: [UInt8], limits: JSONLimits = .body) throws(JSONFault) -> JSONValue {
        // A typed error does not pass through every `rethrows`, hence the result.
        let outcome = bytes.withUnsafeBytes { raw in
            Result { () throws(JSONFault) in try parse(raw, limits: limits) }
        }
        return try outcome.get()
    }
}
