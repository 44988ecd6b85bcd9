import ChilCore
import ChilCrypto

/// An identity token that lacks only its signature check: the one thing that may cost a fetch of keys.
///
/// Made by `IdentityVerifier.precheck` alone. Nothing of it is to be believed yet.
package struct PrecheckedToken: Sendable {
    /// The record that `iss` selected, of which the keys are needed.
    package let provider: ProviderRecord
    package let keyID: String
    let algorithm: JWSAlgorithm
    let jws: CompactJWS
    let claims: IdentityClaims
    let clientID: String
    let nonceDigest: Digest256?
    let tokenDigest: Digest256
}

extension PrecheckedToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "[identity token \(tokenDigest.hex.prefix(12))]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
