import ChilCore
package import ChilCrypto

/// What stands in the address that a scanner pushes to: 256 bits that nobody guesses. The database has its digest alone.
package struct ScanToken: Sendable {
    private static let byteCount = 32
    /// Base64url without padding.
    package static let letterCount = 43

    package let text: String

    /// A fresh one.
    package init() throws(CryptoError) {
        text = String(decoding: Base64URL.encode(try SecureRandom.bytes(Self.byteCount)), as: UTF8.self)
    }

    /// Of 32 bytes that nobody guesses either.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        text = String(decoding: Base64URL.encode(bytes), as: UTF8.self)
    }

    /// One that came in an address. `nil`: it cannot be one.
    package init?(text: String) {
        guard text.utf8.count == Self.letterCount, Base64URL.decode(text)?.count == Self.byteCount else { return nil }
        self.text = text
    }

    /// SHA-256 of its letters: by this it is looked up, so that no comparison takes a time that tells of it.
    package var digest: [UInt8] { SHA256.digest(of: Array(text.utf8)).bytes }

    /// The address to register at the printer's maker.
    ///
    /// - Parameter base: `https://host/tenant`.
    package func url(under base: String) -> String { "\(base)/scan/\(text)" }

    /// Epson Connect takes no longer address.
    package static let urlBytesMax = 544
}
