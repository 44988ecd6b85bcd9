/// Why a provider did not do what it was asked.
///
/// The texts are for the log and the operator: the provider's own words, cleaned, and never a secret that was sent.
package enum ProviderFault: Error, Equatable, Sendable {
    /// `invalid_grant`: the code or token is used, old, of another client, or nobody's. Asking again changes nothing.
    case refusedGrant
    /// `invalid_client`, `unauthorized_client`: it does not know us. The operator has to act.
    case refusedCredentials(String)
    /// It understood, and says that the request itself is wrong.
    case refusedRequest(String)
    /// No answer, none in time, or none that means anything: it is not known whether it acted.
    case away(String)
}

extension ProviderFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refusedGrant: "the provider refuses the code or token (invalid_grant): sign in again"
        case .refusedCredentials(let said):
            "the provider refuses the credentials (\(said)): check team, key id, key and client id with chiladmin client check"
        case .refusedRequest(let said):
            "the provider refuses the request (\(said)): check the client id and its redirect URI"
        case .away(let said): "the provider does not answer (\(said)): try again later"
        }
    }
}
