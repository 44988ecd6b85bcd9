internal import COpenSSL

/// One `EVP_MD`, looked up once: OpenSSL 3 otherwise looks it up by name on each use (crypto(7), "Implicit fetching").
///
/// Sendable: an `EVP_MD` never changes after EVP_MD_fetch(3), counts its references atomically, and is never freed here.
struct FetchedDigest: @unchecked Sendable {
    let pointer: OpaquePointer?

    static let sha256 = FetchedDigest(pointer: EVP_MD_fetch(nil, "SHA256", nil) ?? EVP_sha256())
}
