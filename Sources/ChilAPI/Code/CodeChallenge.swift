import ChilCore
import ChilCrypto

/// Proof Key for Code Exchange with S256 (RFC 7636): who redeems a code is who asked for it.
struct CodeChallenge: Sendable, Equatable {
    /// 43 characters of base64url.
    let text: String

    /// 43 to 128 characters (§4.1); which ones need not be asked, a wrong one fits no challenge.
    static let verifierRule = TextRule(bytesMax: 128)
    private static let verifierBytesMin = 43

    /// Nil for what cannot be the digest of anything.
    init?(_ text: String) {
        guard let digest = Base64URL.decode(text), digest.count == 32 else { return nil }
        self.text = text
    }

    /// Whether it was made of this verifier (§4.6), in constant time.
    func isMade(of verifier: String) -> Bool {
        guard verifier.utf8.count >= Self.verifierBytesMin else { return false }
        return ConstantTime.areEqual(text, Base64URL.text(of: SHA256.digest(of: Array(verifier.utf8)).bytes))
    }
}
