internal import COpenSSL

/// Bytes that no log, mirror or description shows, and that are overwritten when the last owner lets go.
///
/// Sendable: they never change between `init` and `deinit`.
package final class SecretBytes: @unchecked Sendable, Equatable {
    private let start: UnsafeMutableRawPointer
    package let count: Int

    package init(copying raw: UnsafeRawBufferPointer) {
        count = raw.count
        start = .allocate(byteCount: max(raw.count, 1), alignment: 16)
        if let source = raw.baseAddress { start.copyMemory(from: source, byteCount: raw.count) }
    }

    /// The array itself stays as it is: cleanse it if it is no longer needed.
    package init(copying bytes: [UInt8]) {
        count = bytes.count
        let start = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
        bytes.withUnsafeBytes { if let source = $0.baseAddress { start.copyMemory(from: source, byteCount: $0.count) } }
        self.start = start
    }

    deinit {
        OPENSSL_cleanse(start, count)
        start.deallocate()
    }

    /// Fresh random bytes.
    package static func random(_ count: Int) throws(CryptoError) -> SecretBytes {
        var bytes = try SecureRandom.bytes(count)
        defer { ConstantTime.cleanse(&bytes) }
        return SecretBytes(copying: bytes)
    }

    /// Lends the bytes; they must not be kept.
    package func withUnsafeBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer {
        defer { withExtendedLifetime(self) {} }
        return try body(raw)
    }

    /// The bytes as an array, for what has to store them sealed.
    package func copy() -> [UInt8] { withUnsafeBytes { Array($0) } }

    var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// In constant time.
    package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        ConstantTime.areEqual(left.raw, right.raw)
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "[\(count) secret bytes]" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
