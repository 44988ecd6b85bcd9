package import ChilCore
package import ChilDatabase

/// Everything of a tenant that requests need and that seldom changes. Loops keep it, and load it anew when told.
package struct TenantEntry: Sendable {
    package let tenant: TenantRecord
    package let providers: [ProviderRecord]
    package let keys: [TenantKeyRecord]
    /// Metrics that have a limit. Only for scheduling (contended batches); limits themselves are decided in PostgreSQL.
    package let limitedMetrics: Set<QuotaMetric>
    /// Whose requests are counted: the tenant's, each user's, both or nobody's.
    package let requestScopes: RequestScopes
    /// What holds instead of `RateDefaults`.
    package let rateLimits: [RateLimitRecord]
    /// What some server of the tenant's wants to be told.
    package let webhookTypes: Set<WebhookType>
}

package enum TenantDirectory {
    /// `nil`: no such tenant. Two reads, because the second needs the tenant's number to enter it.
    package static func entry(slug: String, from database: some Database) async throws(DatabaseError) -> TenantEntry? {
        try await entry(of: database.run(TenantBySlug(slug: slug), .read, of: nil).first, from: database)
    }

    package static func entry(id: TenantID, from database: some Database) async throws(DatabaseError) -> TenantEntry? {
        try await entry(of: database.run(TenantByID(id: id), .read, of: nil).first, from: database)
    }

    private static func entry(
        of tenant: TenantRecord?,
        from database: some Database
    ) async throws(DatabaseError) -> TenantEntry? {
        guard let tenant else { return nil }
        var batch = Batch(.read, of: tenant.id)
        let providers = batch.add(ProviderList(of: tenant.id))
        let keys = batch.add(TenantKeyList(of: tenant.id))
        let quotas = batch.add(QuotaKeys(tenant: tenant.id))
        let rates = batch.add(RateLimitList(of: tenant.id))
        let webhooks = batch.add(WebhookTypeList(of: tenant.id))
        let result = try await database.run(batch)
        let limits = try result.rows(quotas)
        return TenantEntry(
            tenant: tenant.with(sessionsMax: limits.first { $0.key.metric == .sessionsPerUser }?.limit),
            providers: try result.rows(providers),
            keys: try result.rows(keys),
            limitedMetrics: Set(limits.map(\.key.metric)),
            requestScopes: RequestScopes(of: limits.map(\.key)),
            rateLimits: try result.rows(rates),
            webhookTypes: Set(try result.rows(webhooks).compactMap { $0 })
        )
    }
}
