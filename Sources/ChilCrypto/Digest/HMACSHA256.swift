internal import COpenSSL

/// HMAC-SHA-256 (RFC 2104) with one key, which is worked in once and kept.
///
/// Not `Sendable`, and so for one thread or loop: a computation uses the kept `EVP_MAC_CTX`. Each loop makes its own from the
/// shared `SecretBytes`.
package final class HMACSHA256 {
    private let context: OpaquePointer

    /// Any length of key, also none.
    package init(key: UnsafeRawBufferPointer) {
        // Static, as the parameter keeps the pointer.
        let name: StaticString = "digest"
        var digest = Array("SHA256\0".utf8CString)
        let context = digest.withUnsafeMutableBufferPointer { digest -> OpaquePointer? in
            var parameters = [
                OSSL_PARAM_construct_utf8_string(name.pointer, digest.baseAddress, 0), OSSL_PARAM_construct_end(),
            ]
            guard let context = EVP_MAC_CTX_new(FetchedMAC.hmac.pointer) else { return nil }
            // A null pointer would mean "the key of before".
            var none: UInt8 = 0
            let start = key.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let ready =
                start.map { EVP_MAC_init(context, $0, key.count, &parameters) }
                ?? EVP_MAC_init(context, &none, 0, &parameters)
            guard ready == 1 else {
                EVP_MAC_CTX_free(context)
                return nil
            }
            return context
        }
        guard let context else { preconditionFailure("OpenSSL has no HMAC or no memory: check its installation") }
        self.context = context
    }

    package convenience init(key: SecretBytes) {
        let raw = key.raw
        self.init(key: raw)
        withExtendedLifetime(key) {}
    }

    package convenience init(key: [UInt8]) {
        self.init(key: SecretBytes(copying: key))
    }

    deinit { EVP_MAC_CTX_free(context) }

    /// The code of a message.
    package func code(of message: UnsafeRawBufferPointer) -> Digest256 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Digest256.byteCount) { out in
            var count = 0
            guard EVP_MAC_init(context, nil, 0, nil) == 1,
                message.isEmpty
                    || EVP_MAC_update(context, message.baseAddress?.assumingMemoryBound(to: UInt8.self), message.count)
                        == 1,
                EVP_MAC_final(context, out.baseAddress, &count, out.count) == 1, count == out.count
            else { preconditionFailure("OpenSSL gave no HMAC: check its installation") }
            return Digest256(unchecked: out.baseAddress!)
        }
    }

    /// The code of a message.
    package func code(of message: [UInt8]) -> Digest256 {
        message.withUnsafeBytes { code(of: $0) }
    }
}
