import ChilCore
import ChilCrypto

/// The hashes that tie a token to what came with it.
enum TokenHash {
    /// `at_hash` and `c_hash` (OpenID Connect Core §3.1.3.6, §3.3.2.11): the left half, in base64url.
    static func half(of text: String) -> String {
        Base64URL.text(of: Array(SHA256.digest(of: Array(text.utf8)).bytes.prefix(16)))
    }

    /// `code_challenge` of a verifier (RFC 7636 §4.2).
    static func challenge(of verifier: String) -> String {
        Base64URL.text(of: SHA256.digest(of: Array(verifier.utf8)).bytes)
    }
}
