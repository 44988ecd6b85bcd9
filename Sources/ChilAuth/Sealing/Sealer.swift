package import ChilCore
package import ChilCrypto

/// Seals what the database keeps but must not be able to read: private keys, third parties' secrets.
///
/// version(1) ‖ IV(12) ‖ ciphertext ‖ tag(16), AES-256-GCM under the version's `chil/seal` key. Tenant and column are
/// associated data, so a value moved to another row of another tenant or to another column does not open.
package struct Sealer: Sendable {
    private let ring: KeyRing

    package init(_ ring: KeyRing) {
        self.ring = ring
    }

    /// The version of the key that seals, which is the first byte of what it sealed.
    package var version: UInt8 { ring.currentVersion }

    /// Seals for one column of one tenant, with a fresh random IV. One key is good for 2³² sealings (SP 800-38D §8.3).
    package func seal(_ plain: SecretBytes, tenant: TenantID, column: String) throws(CryptoError) -> [UInt8] {
        let cipher = try AESGCM256(key: ring.currentSubkey(.seal))
        let iv = try SecureRandom.bytes(AESGCM256.ivBytes)
        var bytes = plain.copy()
        defer { ConstantTime.cleanse(&bytes) }
        let data = Self.associatedData(tenant: tenant, column: column)
        return [ring.currentVersion] + iv + (try cipher.seal(bytes, iv: iv, associatedData: data))
    }

    /// What was sealed; nil if a byte, the tenant, the column or the key is not that of the sealing.
    package func open(_ sealed: [UInt8], tenant: TenantID, column: String) throws(CryptoError) -> SecretBytes? {
        guard sealed.count >= 1 + AESGCM256.ivBytes + AESGCM256.tagBytes,
            let key = ring.subkey(.seal, version: sealed[0])
        else { return nil }
        let iv = Array(sealed[1..<1 + AESGCM256.ivBytes])
        let opened = try AESGCM256(key: key).open(
            Array(sealed[(1 + AESGCM256.ivBytes)...]),
            iv: iv,
            associatedData: Self.associatedData(tenant: tenant, column: column)
        )
        guard var opened else { return nil }
        defer { ConstantTime.cleanse(&opened) }
        return SecretBytes(copying: opened)
    }

    private static func associatedData(tenant: TenantID, column: String) -> [UInt8] {
        Array("chil/v1|\(tenant.rawValue)|\(column)".utf8)
    }
}
