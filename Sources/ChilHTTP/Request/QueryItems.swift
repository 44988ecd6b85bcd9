/// The parameters of a query or of a form's body, decoded, each at most once.
package struct QueryItems: Sendable, Equatable {
    package enum Fault: String, Error, Sendable {
        case malformedEscape, invalidText, emptyName, repeatedName, tooManyItems

        package var remedy: StaticString {
            switch self {
            case .malformedEscape: "Percent-encode with two hexadecimal digits."
            case .invalidText: "Send UTF-8 without control characters."
            case .emptyName: "Send each parameter as name=value."
            case .repeatedName: "Send each parameter once."
            case .tooManyItems: "Send fewer parameters."
            }
        }
    }

    /// More parameters than any route has.
    private static let countMax = 32

    package private(set) var items: [(name: String, value: String)] = []

    package init() {}

    /// - Parameter isForm: a body of `application/x-www-form-urlencoded`, where `+` means a space; in a query it is a plus.
    package init(_ bytes: ArraySlice<UInt8>, isForm: Bool = false) throws(Fault) {
        for piece in bytes.split(separator: 0x26) {
            guard items.count < Self.countMax else { throw .tooManyItems }
            let equals = piece.firstIndex(of: ASCII.equals)
            let name = try Self.text(piece[..<(equals ?? piece.endIndex)], isForm)
            let value = try Self.text(equals.map { piece[($0 + 1)...] } ?? [], isForm)
            guard !name.isEmpty else { throw .emptyName }
            guard self[name] == nil else { throw .repeatedName }
            items.append((name, value))
        }
    }

    package subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.items.elementsEqual(right.items) { $0 == $1 }
    }

    private static func text(_ bytes: ArraySlice<UInt8>, _ isForm: Bool) throws(Fault) -> String {
        guard let decoded = PercentCoding.decode(bytes, plusIsSpace: isForm) else { throw .malformedEscape }
        guard let text = String(validating: decoded, as: UTF8.self), decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .invalidText }
        return text
    }
}

extension RequestHead {
    /// The query's parameters; none without a query.
    package func queryItems() throws(QueryItems.Fault) -> QueryItems {
        guard let query else { return QueryItems() }
        return try QueryItems(query)
    }
}
