import ChilAuth
import ChilCore
import ChilCrypto
import ChilStore

/// A tenant's own keys as its requests need them: which one signs now, which ones verify, and what is published.
struct TenantKeys {
    enum Fault: Error, CustomStringConvertible {
        case noActiveKey
        case sealedByAnotherKey
        case halvesDiffer

        var description: String {
            switch self {
            case .noActiveKey: "the tenant has no active signing key: make one with chiladmin key rotate --now"
            case .sealedByAnotherKey:
                "the tenant's signing key does not open: CHIL_KEY_FILE must be the file chiladmin used, and the row the tenant's own"
            case .halvesDiffer:
                "the tenant's signing key is not the one it is published as: revoke it with chiladmin key revoke"
            }
        }
    }

    private struct Signer {
        /// When it began to sign, and ceased to.
        let activated: Timestamp
        let retired: Timestamp?
        let issuer: AccessTokenIssuer
    }

    let verifier: AccessTokenVerifier
    /// The answer of `.well-known/jwks.json`.
    let jwks: [UInt8]
    private let ids: [String]
    /// The active key first, then those that it has just replaced.
    private let signers: [Signer]

    /// - Parameters:
    ///   - records: all but the revoked.
    ///   - issuer: `<PUBLIC_URL>/<slug>`.
    init(
        _ records: [TenantKeyRecord],
        of tenant: TenantID,
        issuer: String,
        audience: Slug,
        sealer: Sealer,
        at now: Timestamp
    )
        throws
    {
        let usable = records.filter { record in
            record.state != .revoked && record.retiredAt.map { now < $0 + Self.verifiesFor } ?? true
        }
        let published = try usable.map { record in
            JWK(keyID: record.keyID, key: .es256(try ES256PublicKey(x: record.publicX, y: record.publicY)))
        }
        verifier = AccessTokenVerifier(issuer: issuer, audience: audience, keys: KeySet(published))
        jwks = JWKSet.json(of: published)
        ids = published.map(\.keyID)
        guard let active = usable.first(where: { $0.state == .active }) else { throw Fault.noActiveKey }
        let replaced = usable.filter { record in
            record.state == .retired && record.retiredAt.map { now < $0 + Self.settling } ?? false
        }.sorted { ($0.activatedAt ?? $0.createdAt) > ($1.activatedAt ?? $1.createdAt) }
        signers = try ([active] + replaced).map { record in
            guard
                let opened = try sealer.open(record.sealedPrivate, tenant: tenant, column: TenantKeyRecord.sealedColumn)
            else { throw Fault.sealedByAnotherKey }
            let key = try ES256PrivateKey(pkcs8: opened)
            guard key.publicKey.x == record.publicX, key.publicKey.y == record.publicY else { throw Fault.halvesDiffer }
            return Signer(
                activated: record.activatedAt ?? record.createdAt,
                retired: record.retiredAt,
                issuer: AccessTokenIssuer(issuer: issuer, audience: audience, keyID: record.keyID, key: key)
            )
        }
    }

    /// Makes tokens. A key that was activated just now leaves that to the one before, until every service has heard of it.
    func issuer(at now: Timestamp) -> AccessTokenIssuer {
        for signer in signers where signer.activated + Self.settling <= now {
            if signer.retired.map({ now < $0 + Self.settling }) ?? true { return signer.issuer }
        }
        return signers[0].issuer
    }

    /// Whether tokens of that key are good, for one that was verified before.
    func verifies(_ keyID: String) -> Bool {
        ids.contains(keyID)
    }

    /// By then every loop of every service has heard of a change, and of a key before it signs.
    static let settling = Duration.seconds(2)
    /// How long a retired key is published: until its last token is over, by any replica's clock.
    static let verifiesFor = settling + AccessToken.lifetime + AccessTokenVerifier.leeway
}
