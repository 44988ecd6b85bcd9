internal import COpenSSL

/// Random bytes that nobody can foretell (RAND_bytes(3), seeded by the kernel).
package enum SecureRandom {
    /// `count` bytes; throws only if the kernel's random source fails, and then nothing may go on without.
    package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        ErrorQueue.clear()
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else {
            throw CryptoError(.library, "no random bytes: check /dev/urandom and OpenSSL's installation")
        }
        return bytes
    }
}
