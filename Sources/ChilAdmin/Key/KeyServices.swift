import ChilCore

/// What the key commands need.
protocol KeyServices {
    /// The keys that a tenant has and had, newest first.
    func keys(of slug: Slug) async throws(AdminFault) -> [KeyRow]
    func rotateKey(of slug: Slug, waiting: KeyRotation.Wait) async throws(AdminFault) -> KeyRotation
    func revokeKey(_ keyID: KeyID, of slug: Slug) async throws(AdminFault) -> KeyRevocation
    /// Seals everything of a tenant, or of all, anew under the key file's highest version.
    func reseal(_ slug: Slug?) async throws(AdminFault) -> [ResealRow]
}

/// What a step of a rotation has done.
struct KeyRotation: Equatable, Sendable {
    enum Wait: Equatable, Sendable {
        /// For as long as others may keep the key set.
        case untilSeen
        case not
    }

    enum Step: Equatable, Sendable {
        /// A new key can be seen, and waits.
        case published
        /// It has not waited for long enough: RFC 3339, when it has.
        case waiting(until: String)
        /// It signs.
        case activated
    }

    let keyID: String
    let step: Step
}

struct KeyRevocation: Equatable, Sendable {
    let row: KeyRow
    let wasRevokedBefore: Bool
    /// The key that signs now.
    let activeKeyID: String
}

/// What was sealed anew of a tenant.
struct ResealRow: ListingRow, Equatable {
    let tenant: String
    let resealed: Int64
    /// They open with no version of the key file: what they were is lost, unless the version comes back.
    let unreadable: Int64
    /// Codes to be exchanged and tokens to be revoked that are sealed under another version still: gone within a day.
    let shortLived: Int64

    static let columns: [Column<Self>] = [
        Column("tenant") { .text($0.tenant) },
        Column("resealed") { .number($0.resealed) },
        Column("unreadable") { .number($0.unreadable) },
        Column("shortLived") { .number($0.shortLived) },
    ]
}
