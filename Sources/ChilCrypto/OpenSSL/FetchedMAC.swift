internal import COpenSSL

/// One `EVP_MAC`, looked up once.
///
/// Sendable: an `EVP_MAC` never changes after EVP_MAC_fetch(3), counts its references atomically, and is never freed.
struct FetchedMAC: @unchecked Sendable {
    let pointer: OpaquePointer?

    static let hmac = FetchedMAC(pointer: EVP_MAC_fetch(nil, "HMAC", nil))
}
