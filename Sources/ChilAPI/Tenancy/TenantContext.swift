import ChilAuth
import ChilCore
import ChilHTTP
import ChilStore

/// One tenant as a loop's requests need it: its settings read, its keys opened. Immutable but for its tally; a change makes a new one.
final class TenantContext {
    let id: TenantID
    let slug: Slug
    let isSuspended: Bool
    let sessionRules: SessionRules
    let consentPolicy: ConsentPolicy
    /// Who callers without a token are; `nil`: nobody.
    let guest: Guest?
    let providers: [ChilAuth.ProviderRecord]
    /// The same records, for calls to the providers.
    let providerContexts: [ProviderContext]
    let keys: TenantKeys
    /// `https://host/tenant`.
    let base: String
    /// `https://host/tenant/drawings/`.
    let drawingsBase: String
    let rates: TenantRates
    let requestScopes: RequestScopes
    let tally: TrafficTally
    /// Whether requests are counted at all.
    let countsRequests: Bool
    private let limitedMetrics: Set<QuotaMetric>
    private let webhookTypes: Set<WebhookType>
    /// When it was read: monotonic nanoseconds.
    let loadedAt: Int64

    enum Fault: Error, CustomStringConvertible {
        case badSlug

        var description: String { "the tenant's slug is not one that can be served: create it anew with chiladmin" }
    }

    /// - Parameter loadedAt: monotonic, `now` by the wall clock: when the entry was asked for.
    init(_ entry: TenantEntry, publicURL: String, sealer: Sealer, loadedAt: Int64, at now: Timestamp) throws {
        guard let slug = Slug(entry.tenant.slug) else { throw Fault.badSlug }
        id = entry.tenant.id
        tally = TrafficTally(of: entry.tenant.id)
        self.slug = slug
        isSuspended = entry.tenant.state == .suspended
        sessionRules = entry.tenant.sessionRules
        consentPolicy = entry.tenant.consentPolicy
        guest = entry.tenant.guest
        limitedMetrics = entry.limitedMetrics
        requestScopes = entry.requestScopes
        countsRequests = entry.requestScopes.tenant || entry.requestScopes.user
        rates = TenantRates.of(entry.rateLimits)
        webhookTypes = entry.webhookTypes
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
        providerContexts = entry.providers.map { ProviderContext($0, of: entry.tenant.id, sealer: sealer) }
        base = "\(publicURL)/\(slug.text)"
        keys = try TenantKeys(entry.keys, of: id, issuer: base, audience: slug, sealer: sealer, at: now)
        drawingsBase = base + "/drawings/"
    }

    /// Which key set verifies tokens of one of `providers`.
    func keySet(of provider: ChilAuth.ProviderRecord) -> KeySetName {
        self.provider(provider.id)?.keySet ?? KeySetName(provider.jwksURL, AddressGuard())
    }

    /// The provider that has this audience.
    func provider(of clientID: String) -> ProviderContext? {
        providerContexts.first { $0.client(named: clientID) != nil }
    }

    /// A provider of the tenant's, to be called.
    func provider(_ id: ProviderID) -> ProviderContext? {
        providerContexts.first { $0.id == id }
    }

    func isLimited(_ metric: QuotaMetric) -> Bool {
        limitedMetrics.contains(metric)
    }

    /// Whether a server of the tenant's wants to be told.
    func wants(_ type: WebhookType) -> Bool {
        webhookTypes.contains(type)
    }

    private static func policy(_ policy: ChilStore.ProviderRecord.NoncePolicy) -> ChilAuth.ProviderRecord.NoncePolicy {
        switch policy {
        case .server: .server
        case .client: .client
        case .optional: .optional
        }
    }
}
