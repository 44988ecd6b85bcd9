/// One value of an attribute, with its syntax (RFC 8011 §5.1).
package enum IPPValue: Hashable, Sendable {
    case integer(Int32)
    case boolean(Bool)
    case enumeration(Int32)
    case octets([UInt8])
    /// Eleven bytes of RFC 2579 `DateAndTime`, untouched.
    case dateTime([UInt8])
    /// `units`: 3 dots per inch, 4 dots per centimetre.
    case resolution(across: Int32, along: Int32, units: Int8)
    case range(lower: Int32, upper: Int32)
    case collection([IPPAttribute])
    case text(String)
    case name(String)
    case textWithLanguage(language: String, text: String)
    case nameWithLanguage(language: String, name: String)
    case keyword(String)
    case uri(String)
    case uriScheme(String)
    case charset(String)
    case naturalLanguage(String)
    case mimeMediaType(String)
    /// An out-of-band value: unsupported, unknown, no value (RFC 8010 §3.5.2), by its tag.
    case outOfBand(tag: UInt8)
    /// A syntax that is not known here, with its tag and bytes.
    case other(tag: UInt8, bytes: [UInt8])

    /// The value of an integer or enumeration.
    package var number: Int32? {
        switch self {
        case .integer(let number), .enumeration(let number): number
        default: nil
        }
    }

    package var flag: Bool? {
        guard case .boolean(let flag) = self else { return nil }
        return flag
    }

    /// Of a range its end, of a number itself.
    package var upperBound: Int32? {
        if case .range(_, let upper) = self { return upper }
        return number
    }

    /// Of a resolution that is the same in both directions.
    package var dotsPerInch: Int? {
        guard case .resolution(let across, let along, let units) = self, across == along, across > 0 else { return nil }
        switch units {
        case 3: return Int(across)
        case 4: return (Int(across) * 254 + 50) / 100
        default: return nil
        }
    }

    /// The value of any textual syntax, without its language.
    package var string: String? {
        switch self {
        case .text(let text), .name(let text), .keyword(let text), .uri(let text), .uriScheme(let text),
            .charset(let text), .naturalLanguage(let text), .mimeMediaType(let text),
            .textWithLanguage(_, let text), .nameWithLanguage(_, let text):
            text
        default: nil
        }
    }
}

/// A name and its values, one at least.
package struct IPPAttribute: Hashable, Sendable {
    package let name: String
    package var values: [IPPValue]

    package init(_ name: String, _ values: IPPValue...) {
        self.name = name
        self.values = values
    }

    package init(_ name: String, values: [IPPValue]) {
        self.name = name
        self.values = values
    }
}
