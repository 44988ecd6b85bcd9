import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilStore

/// One tenant as a loop's requests need it: its settings read, its keys opened. Immutable; a change makes a new one.
final class TenantContext {
    let id: TenantID
    let slug: Slug
    let isSuspended: Bool
    let sessionRules: SessionRules
    let providers: [ChilAuth.ProviderRecord]
    /// The same records, for calls to the providers.
    private let contexts: [ProviderContext]
    let issuer: AccessTokenIssuer
    let verifier: AccessTokenVerifier
    /// The answer of `.well-known/jwks.json`.
    let jwks: [UInt8]
    /// `https://host/tenant/drawings/`.
    let drawingsBase: String
    private let limitedMetrics: Set<QuotaMetric>
    /// When it was read: monotonic nanoseconds.
    let loadedAt: Int64

    enum Fault: Error, CustomStringConvertible {
        case badSlug
        case noActiveKey
        case sealedByAnotherKey

        var description: String {
            switch self {
            case .badSlug: "the tenant's slug is not one that can be served: create it anew with chiladmin"
            case .noActiveKey: "the tenant has no active signing key: create it anew with chiladmin"
            case .sealedByAnotherKey:
                "the tenant's signing key does not open: CHIL_KEY_FILE must be the file chiladmin used"
            }
        }
    }

    init(_ entry: TenantEntry, publicURL: String, sealer: Sealer, loadedAt: Int64) throws {
        guard let slug = Slug(entry.tenant.slug) else { throw Fault.badSlug }
        id = entry.tenant.id
        self.slug = slug
        isSuspended = entry.tenant.state == .suspended
        sessionRules = entry.tenant.sessionRules
        limitedMetrics = entry.limitedMetrics
        self.loadedAt = loadedAt
        providers = entry.providers.map { record in
            ChilAuth.ProviderRecord(
                id: record.id,
                issuers: record.issuers,
                clientIDs: record.clientIDs,
                algorithms: record.algorithms.compactMap { JWSAlgorithm(name: $0) },
                jwksURL: record.jwksURL,
                noncePolicy: Self.policy(record.noncePolicy),
                issuedAgeMax: record.iatAgeMax
            )
        }
        contexts = entry.providers.map { ProviderContext($0, of: entry.tenant.id, sealer: sealer) }
        guard let active = entry.keys.first(where: { $0.state == .active }) else { throw Fault.noActiveKey }
        guard let opened = try sealer.open(active.sealedPrivate, tenant: id, column: TenantKeyRecord.sealedColumn)
        else {
            throw Fault.sealedByAnotherKey
        }
        let base = "\(publicURL)/\(slug.text)"
        issuer = AccessTokenIssuer(
            issuer: base,
            audience: slug,
            keyID: active.keyID,
            key: try ES256PrivateKey(pkcs8: opened)
        )
        let published = try entry.keys.map { key in
            JWK(keyID: key.keyID, key: .es256(try ES256PublicKey(x: key.publicX, y: key.publicY)))
        }
        verifier = AccessTokenVerifier(issuer: base, audience: slug, keys: KeySet(published))
        jwks = JWKSet.json(of: published)
        drawingsBase = base + "/drawings/"
    }

    /// What the operator allowed for a provider record, and for no other.
    func exceptions(of provider: ProviderID) -> Set<AddressGuard.Exception> {
        self.provider(provider)?.exceptions ?? []
    }

    /// A provider of the tenant's, to be called.
    func provider(_ id: ProviderID) -> ProviderContext? {
        contexts.first { $0.id == id }
    }

    func isLimited(_ metric: QuotaMetric) -> Bool {
        limitedMetrics.contains(metric)
    }

    private static func policy(_ policy: ChilStore.ProviderRecord.NoncePolicy) -> ChilAuth.ProviderRecord.NoncePolicy {
        switch policy {
        case .server: .server
        case .client: .client
        case .optional: .optional
        }
    }
}
