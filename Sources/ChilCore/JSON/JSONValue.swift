/// A value of RFC 8259, as it was written.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The object, nil if it is something else.
    package var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements, nil if it is something else.
    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text, nil if it is something else.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, nil if it is something else.
    package var number: JSONNumber? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The integer, nil if it is something else, has a fraction or an exponent, or does not fit.
    package var int64: Int64? { number?.int64 }

    /// The truth value, nil if it is something else.
    package var bool: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// Whether it is `null`.
    package var isNull: Bool { self == .null }
}
