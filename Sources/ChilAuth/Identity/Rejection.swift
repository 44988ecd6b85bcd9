package import ChilCore

/// Why an identity token is not accepted, for the log and the audit: the answer is one for all of them.
package enum Rejection: Error, Equatable, Sendable {
    case malformed(JWSFault)
    /// The claims are no strict JSON.
    case badClaims(JSONFault)
    /// The claims are no object.
    case claimsNotObject
    /// The tenant has no provider, or the provider no client ids: 503, never "any".
    case notConfigured
    case wrongIssuer
    case wrongAudience
    /// `exp` is missing or no moment.
    case badExpiry
    case expired
    /// `nbf` is no moment.
    case badNotBefore
    case notYetValid
    /// `iat` is missing or no moment.
    case badIssuedAt
    case issuedInFuture
    case issuedTooLongAgo
    case missingNonce
    case wrongNonce
    /// `sub` is missing, empty, too long, or has control characters.
    case badSubject
    case wrongUserID
    /// The header has no `kid`: there is no fallback key.
    case missingKeyID
    /// The header's `alg` is none that the provider's record allows.
    case wrongAlgorithm
    /// A notification where an identity token should be: it has `events`.
    case notification
    /// An identity token, or something else, where a notification should be: it has no `events`.
    case noEvents
    /// `jti` is no text, or too long.
    case badTokenID
    case unknownKey
    case badSignature
}
