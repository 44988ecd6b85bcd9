import ChilCore
package import ChilCrypto

/// What a person keeps who deleted an account, to ask what became of it: `chl_dr_` and base64url of 128 random bits and a checksum.
///
/// The checksum (the first four bytes of SHA-256 of the random ones) drops garbage before the database is asked. Only the digest
/// is stored.
package struct DeletionReceipt: Equatable, Sendable {
    package let text: String

    private static let prefix = "chl_dr_"
    private static let randomBytes = 16
    private static let checksumBytes = 4

    /// A fresh one.
    package init() throws(CryptoError) {
        let random = try SecureRandom.bytes(Self.randomBytes)
        text = Self.prefix + Base64URL.text(of: random + Self.checksum(of: random))
    }

    /// nil for what has another form, length or checksum.
    package init?(parsing text: String) {
        guard text.utf8.starts(with: Self.prefix.utf8),
            let bytes = Base64URL.decode(String(text.dropFirst(Self.prefix.count))),
            bytes.count == Self.randomBytes + Self.checksumBytes
        else { return nil }
        let random = Array(bytes[..<Self.randomBytes])
        guard Array(bytes[Self.randomBytes...]) == Self.checksum(of: random) else { return nil }
        self.text = text
    }

    /// What the database keeps.
    package var digest: [UInt8] { SHA256.digest(of: Array(text.utf8)).bytes }

    private static func checksum(of random: [UInt8]) -> [UInt8] {
        Array(SHA256.digest(of: random).bytes.prefix(checksumBytes))
    }
}

extension DeletionReceipt: CustomStringConvertible, CustomReflectable {
    package var description: String { "[deletion receipt]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
