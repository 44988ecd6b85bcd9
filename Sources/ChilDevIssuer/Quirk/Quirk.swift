/// A way in which the real provider's tokens and answers have differed from its documentation, to be switched on.
package enum Quirk: String, CaseIterable, Sendable {
    /// `email_verified` and `is_private_email` are `"true"` and `"false"`.
    case stringBooleans = "string-booleans"
    /// `iat`, `exp` and `auth_time` are written as `1.796E9`.
    case scientificDates = "scientific-dates"
    /// No `email`, even when the user shared one.
    case noEmail = "no-email"
    /// No `is_private_email`, even for a relay address.
    case noPrivateEmail = "no-private-email"
    /// `iss` is the second issuer's.
    case otherIssuer = "other-issuer"
    /// `nonce_supported` is there and `nonce` is not.
    case noNonce = "no-nonce"
    /// The token endpoint's answer has no `id_token`.
    case noIdentityToken = "no-id-token"
    /// Errors have no `error_description`, as the documentation has it.
    case bareErrors = "bare-errors"
}
