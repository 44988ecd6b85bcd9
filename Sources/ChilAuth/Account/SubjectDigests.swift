package import ChilCore
import ChilCrypto

/// Knows a person again whose account has ended, without a name: digests of the provider's subject, with a key of the ring in them.
///
/// PostgreSQL makes the digest of what it deletes (`chil_subject_digest`), with the pepper that comes with each deletion and is stored
/// nowhere: the database alone tells nobody who was deleted.
package struct SubjectDigests: Sendable {
    private static let digestBytes = 32

    private let current: SecretBytes
    private let older: [SecretBytes]

    package init(_ ring: KeyRing) {
        current = ring.currentSubkey(.subject)
        older = (UInt8.min..<ring.currentVersion).compactMap { ring.subkey(.subject, version: $0) }
    }

    /// Of the current key, for a deletion.
    package var pepper: [UInt8] { current.copy() }

    /// What a subject may be known by: one digest of 32 bytes for each key, one after another.
    package func all(of subject: String, from provider: ProviderID, in tenant: TenantID) -> [UInt8] {
        let name = SHA256.digest(of: Array("\(tenant.rawValue) \(provider.rawValue) \(subject)".utf8)).bytes
        return ([current] + older).flatMap { SHA256.digest(of: $0.copy() + name).bytes }
    }

    /// Whether a digest is of this subject.
    package func isDigest(_ digest: [UInt8], of subject: String, from provider: ProviderID, in tenant: TenantID) -> Bool
    {
        let all = all(of: subject, from: provider, in: tenant)
        return stride(from: 0, to: all.count, by: Self.digestBytes).contains {
            ConstantTime.areEqual(Array(all[$0..<($0 + Self.digestBytes)]), digest)
        }
    }
}
