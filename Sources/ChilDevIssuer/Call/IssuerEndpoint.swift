/// What of the issuer can be counted, and can be made to go wrong.
package enum IssuerEndpoint: String, CaseIterable, Sendable {
    case keys, token, revoke, migration
}
