/// A number as it was written: nothing is rounded before someone asks for a type.
package struct JSONNumber: Equatable, Sendable {
    /// The text by RFC 8259 §6.
    package let literal: String

    init(literal: String) {
        self.literal = literal
    }

    /// The value of a literal without fraction and exponent; nil for `1.0`, `1e3` and what 64 bits cannot hold.
    package var int64: Int64? {
        Int64(literal)
    }

    /// The value if it is whole, however it is written: `1.0` and `1e3` too, as JSON Schema has integers (2020-12 §6.1.1). Nil for what
    /// 64 bits cannot hold.
    package var whole: Int64? {
        if let number = int64 { return number }
        let parts = literal.split(maxSplits: 1, whereSeparator: { $0 == "e" || $0 == "E" })
        let digits = parts[0].split(separator: ".", maxSplits: 1)
        var mantissa = digits[0]
        var zeros = 0
        if parts.count == 2 {
            // No exponent of a number that is worth being looked at has more digits.
            guard parts[1].utf8.count <= 4, let exponent = Int(parts[1]) else { return nil }
            zeros = exponent
        }
        if digits.count == 2 {
            mantissa += digits[1]
            zeros -= digits[1].utf8.count
        }
        while zeros < 0, mantissa.last == "0" {
            mantissa.removeLast()
            zeros += 1
        }
        // Nothing but zeros: zero, whatever the exponent.
        if mantissa.isEmpty || mantissa == "-" || Int64(mantissa) == 0 { return 0 }
        guard 0...18 ~= zeros else { return nil }
        return Int64(mantissa + String(repeating: "0", count: zeros))
    }

    /// The nearest double; nil where that would be infinite.
    package var double: Double? {
        guard let value = Double(literal), value.isFinite else { return nil }
        return value
    }
}
