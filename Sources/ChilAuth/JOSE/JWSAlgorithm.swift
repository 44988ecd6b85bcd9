import ChilCore

/// The signature algorithms taken (RFC 7518 §3.1); a name is compared as it is, so `none`, `HS256` and `es256` are nothing.
package enum JWSAlgorithm: String, CaseIterable, Sendable {
    case es256 = "ES256"
    case rs256 = "RS256"

    /// nil for every other name, byte for byte.
    package init?(name: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue.isExactly(name) }) else { return nil }
        self = known
    }
}
