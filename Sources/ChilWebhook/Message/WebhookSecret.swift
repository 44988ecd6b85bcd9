import ChilCore
package import ChilCrypto

/// What a tenant's server and this service sign with (Standard Webhooks, "Signature scheme"): `whsec_` and base64 of 24 to 64 bytes.
package struct WebhookSecret: Sendable {
    package static let prefix = "whsec_"
    /// Bytes of one that is made here.
    package static let byteCount = 32
    private static let byteRange = 24...64

    package let bytes: SecretBytes

    /// A fresh one.
    package init() throws(CryptoError) {
        bytes = SecretBytes(copying: try SecureRandom.bytes(Self.byteCount))
    }

    /// `nil`: not as many bytes as a secret has.
    package init?(bytes: SecretBytes) {
        guard Self.byteRange.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    package init?(parsing text: String) {
        guard text.hasPrefix(Self.prefix), var bytes = Base64.decode(String(text.dropFirst(Self.prefix.count))) else {
            return nil
        }
        defer { ConstantTime.cleanse(&bytes) }
        self.init(bytes: SecretBytes(copying: bytes))
    }

    /// As the tenant's server is given it. To be shown once.
    package var text: String {
        Self.prefix + String(decoding: Base64.encode(bytes.copy()), as: UTF8.self)
    }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "[webhook secret]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
