internal import COpenSSL

/// SHA-256 (FIPS 180-4) over bytes that come piece by piece; `digest(of:)` for bytes that are there.
///
/// Owns one `EVP_MD_CTX`. Sendable: it has one owner at a time, by the language.
package struct SHA256: ~Copyable, @unchecked Sendable {
    private let context: OpaquePointer

    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex2(context, FetchedDigest.sha256.pointer, nil) == 1 else {
            preconditionFailure("OpenSSL has no SHA-256 or no memory: check its installation")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes.
    package mutating func update(_ raw: UnsafeRawBufferPointer) {
        guard EVP_DigestUpdate(context, raw.baseAddress, raw.count) == 1 else {
            preconditionFailure("OpenSSL's SHA-256 took no bytes: check its installation")
        }
    }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of all that was added.
    package consuming func finish() -> Digest256 {
        Self.gather { out in EVP_DigestFinal_ex(context, out, nil) == 1 }
    }

    /// The digest of some bytes.
    package static func digest(of raw: UnsafeRawBufferPointer) -> Digest256 {
        gather { out in EVP_Digest(raw.baseAddress, raw.count, out, nil, FetchedDigest.sha256.pointer, nil) == 1 }
    }

    /// The digest of some bytes.
    package static func digest(of bytes: [UInt8]) -> Digest256 {
        bytes.withUnsafeBytes { digest(of: $0) }
    }

    private static func gather(_ body: (UnsafeMutablePointer<UInt8>) -> Bool) -> Digest256 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Digest256.byteCount) { out in
            guard body(out.baseAddress!) else {
                preconditionFailure("OpenSSL gave no SHA-256 digest: check its installation")
            }
            return Digest256(unchecked: out.baseAddress!)
        }
    }
}
