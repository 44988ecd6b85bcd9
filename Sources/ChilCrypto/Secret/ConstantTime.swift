internal import COpenSSL

/// What must take the same time whatever the bytes are, or must not be left out by the compiler.
package enum ConstantTime {
    /// Whether two runs of bytes are equal, in a time that depends on their length only (CRYPTO_memcmp(3)).
    package static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard !left.isEmpty else { return true }
        return CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
    }

    /// The same for arrays.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { areEqual(left, $0) } }
    }

    /// The same for texts, byte by byte.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        var left = left
        var right = right
        return left.withUTF8 { left in
            right.withUTF8 { areEqual(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
        }
    }

    /// Overwrites bytes in a way that no optimiser drops (OPENSSL_cleanse(3)).
    package static func cleanse(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    }
}
