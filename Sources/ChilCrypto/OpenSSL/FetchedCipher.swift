internal import COpenSSL

/// One `EVP_CIPHER`, looked up once.
///
/// Sendable: an `EVP_CIPHER` never changes after EVP_CIPHER_fetch(3), counts its references atomically, and is never freed.
struct FetchedCipher: @unchecked Sendable {
    let pointer: OpaquePointer?

    static let aes256GCM = FetchedCipher(pointer: EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) ?? EVP_aes_256_gcm())
}
