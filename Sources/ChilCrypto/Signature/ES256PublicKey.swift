internal import COpenSSL

/// Verifies ES256 (ECDSA over P-256 with SHA-256, RFC 7518 §3.4).
///
/// Build once and keep. Sendable: immutable, and its contexts are lent to one caller at a time.
package final class ES256PublicKey: Sendable {
    /// The point's coordinates, 32 bytes each, big endian.
    package let x: [UInt8]
    package let y: [UInt8]
    private let contexts: KeyContextPool

    package static let coordinateBytes = 32

    /// From a point, which must be on the curve (SP 800-186, "full public-key validation").
    package convenience init(x: [UInt8], y: [UInt8]) throws(CryptoError) {
        guard x.count == Self.coordinateBytes, y.count == Self.coordinateBytes else {
            throw CryptoError(.badKey, "x and y of P-256 are 32 bytes each (RFC 7518 §6.2.1.2): pad them with zeros")
        }
        self.init(x: x, y: y, key: try EVPKey(uncompressedPoint: [0x04] + x + y))
    }

    init(x: [UInt8], y: [UInt8], key: EVPKey) {
        self.x = x
        self.y = y
        contexts = KeyContextPool(key: key, operation: .verifyECDSA)
    }

    /// Whether `signature` (r‖s, 64 bytes, 1 ≤ r, s < n) is this key's over the message of `digest` (SHA-256). Any
    /// failure is a no.
    package func accepts(_ signature: UnsafeRawBufferPointer, over digest: Digest256) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ES256Signature.derBytesMax) { der in
            guard let count = ES256Signature.writeDER(of: signature, into: der) else { return false }
            let verdict = try? contexts.withContext { context in
                digest.withUnsafeBytes {
                    EVP_PKEY_verify(
                        context,
                        der.baseAddress,
                        count,
                        $0.bindMemory(to: UInt8.self).baseAddress,
                        $0.count
                    )
                }
            }
            if verdict != 1 { ErrorQueue.clear() }
            return verdict == 1
        }
    }

    /// Whether it is this key's over `message`.
    package func accepts(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        signature.withUnsafeBytes { accepts($0, over: SHA256.digest(of: message)) }
    }
}
