import ChilCore
import ChilHTTP
import ChilStore

/// Requests are counted before anything is asked of the database.
extension APIService {
    /// Where a request came from: the connection's address, or what trusted proxies say.
    func clientAddress(_ exchange: Exchange) -> NetworkAddress {
        guard let peer = exchange.peer else { return NetworkAddress(high: 0, low: 0) }
        let address = NetworkAddress(peer)
        guard exchange.head.has(.xForwardedFor) else { return address }
        return shared.configuration.trustedProxies.client(
            of: address,
            forwarded: exchange.head.fieldLines(.xForwardedFor)
        )
    }

    /// The tenant of a request that may come.
    ///
    /// - Throws: `Problem.rateLimited`, and what `TenantCache.tenant` throws.
    func admittedTenant(_ slug: String, _ route: Route, _ address: NetworkAddress, _ admission: Admission) async throws
        -> TenantContext
    {
        // Rules of a while ago decide whether it is worth asking what they are now.
        if let remembered = tenants.remembered(slug) {
            try await admit(route, remembered, address, admission)
            return try await tenants.tenant(slug)
        }
        let tenant = try await tenants.mustAsk(slug) ? lookUp(slug, address, admission) : tenants.tenant(slug)
        try await admit(route, tenant, address, admission)
        return tenant
    }

    /// As `admit`, where nothing has to be asked for; false: something has.
    func admitNow(_ route: Route, _ tenant: TenantContext, _ address: NetworkAddress, _ admission: Admission) throws
        -> Bool
    {
        guard let kind = route.rateClass else { return true }
        admission.begin(kind, tenant.rates)
        return try admission.admitNow(address, of: tenant.id, withTenant: !route.needsSession, limiter)
    }

    private func admit(_ route: Route, _ tenant: TenantContext, _ address: NetworkAddress, _ admission: Admission)
        async throws
    {
        guard let kind = route.rateClass else { return }
        admission.begin(kind, tenant.rates)
        try await admission.admit(address, of: tenant.id, withTenant: !route.needsSession, limiter)
    }

    /// Names that nobody has are counted; the others cost nothing.
    private func lookUp(_ slug: String, _ address: NetworkAddress, _ admission: Admission) async throws -> TenantContext
    {
        let key = limiter.keys.address(address, of: nil, .read)
        try await admission.admit(key, .lookup, RateDefaults.lookup, limiter)
        do {
            let tenant = try await tenants.tenant(slug)
            limiter.giveBack(.address, key)
            return tenant
        } catch {
            if (error as? Problem)?.code != .notFound { limiter.giveBack(.address, key) }
            throw error
        }
    }

    func admitSharedNotification(_ exchange: Exchange, _ admission: Admission) async throws {
        let key = limiter.keys.address(clientAddress(exchange), of: nil, .write)
        try await admission.admit(key, .notification, RateDefaults.sharedNotification, limiter)
    }

    // MARK: Admissions

    func takeAdmission() -> Admission {
        admissions.popLast() ?? Admission()
    }

    func giveBack(_ admission: Admission) {
        guard admissions.count < Self.admissionsKept else { return }
        admission.reset()
        admissions.append(admission)
    }

    private static let admissionsKept = 256
}
