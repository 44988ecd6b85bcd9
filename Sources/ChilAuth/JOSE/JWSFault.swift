package import ChilCore

/// Why bytes are no compact JWS (RFC 7515 §7.1) of the kind taken here.
package enum JWSFault: Error, Equatable, Sendable {
    case tooLong
    case notThreeParts
    case notBase64URL
    case badHeader(JSONFault)
    /// The header is no object, or `alg`, `kid` or `typ` is no string.
    case badHeaderMember
    /// `crit` is there: nothing critical is understood here (RFC 7515 §4.1.11).
    case criticalHeader
}
