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

    /// The nearest double; nil where that would be infinite.
    package var double: Double? {
        guard let value = Double(literal), value.isFinite else { return nil }
        return value
    }
}
