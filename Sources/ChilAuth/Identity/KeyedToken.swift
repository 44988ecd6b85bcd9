/// A token that has passed every check that needs no key.
package protocol KeyedToken: Sendable {
    associatedtype Verified: Sendable

    /// The record that `iss` selected, of which the keys are needed.
    var provider: ProviderRecord { get }
    /// The header's `kid`.
    var keyID: String { get }

    /// The last check: key by `kid`, algorithm by key, signature.
    func verified(with keys: KeySet) -> Result<Verified, Rejection>
}

extension PrecheckedToken: KeyedToken {
    package func verified(with keys: KeySet) -> Result<VerifiedIdentity, Rejection> {
        switch IdentityVerifier.verify(self, with: keys) {
        case .accepted(let identity): .success(identity)
        case .rejected(let rejection): .failure(rejection)
        }
    }
}
