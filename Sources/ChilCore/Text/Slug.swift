/// A tenant's name in URLs: `^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$`, and none of the words that routes need.
package struct Slug: Hashable, Sendable, CustomStringConvertible {
    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case malformed
        case reserved

        package var description: String {
            switch self {
            case .malformed:
                "a slug is 1 to 40 of a-z, 0-9 and '-', with no '-' at either end: choose such a name"
            case .reserved: "the slug is a word that routes need: choose another name"
            }
        }
    }

    package let text: String

    /// First path segments that are never a tenant (contract.md).
    package static let reserved: Set<String> = [
        "healthz", "livez", "readyz", "startupz", "metrics", "openapi.json", "docs", ".well-known", "apple", "epson",
        "admin", "api", "v1", "v2", "static", "auth",
    ]
    package static let lengthMax = 40

    /// Checks a text.
    package init(checking text: String) throws(Fault) {
        guard !Self.reserved.contains(text) else { throw .reserved }
        let letters = text.utf8
        guard 1...Self.lengthMax ~= letters.count, letters.first != UInt8(ascii: "-"),
            letters.last != UInt8(ascii: "-"),
            letters.allSatisfy({ Self.isLetter($0) || $0 == UInt8(ascii: "-") })
        else { throw .malformed }
        self.text = text
    }

    /// nil for what is no slug.
    package init?(_ text: String) {
        guard let slug = try? Slug(checking: text) else { return nil }
        self = slug
    }

    package var description: String { text }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }
}
