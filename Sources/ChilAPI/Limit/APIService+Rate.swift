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
        let tenant = try await tenants.mustAsk(slug) ? lookUpPatiently(slug, address, admission) : tenants.tenant(slug)
        try await admit(route, tenant, address, admission)
        return tenant
    }

    /// As `admit`, where nothing has to be asked for; false: something has.
    func admitNow(_ route: Route, _ tenant: TenantContext, _ address: NetworkAddress, _ admission: Admission) throws
        -> Bool
    {
        guard let kind = route.rateClass else { return true }
        admission.begin(kind, tenant.rates)
        return try admission.admitNow(address, of: tenant.id, isForAnybody: route.isForAnybody, limiter)
    }

    private func admit(_ route: Route, _ tenant: TenantContext, _ address: NetworkAddress, _ admission: Admission)
        async throws
    {
        guard let kind = route.rateClass else { return }
        admission.begin(kind, tenant.rates)
        try await admission.admit(address, of: tenant.id, isForAnybody: route.isForAnybody, limiter)
    }

    /// Names that nobody has are counted; the others cost nothing.
    func lookUp(_ slug: String, _ address: NetworkAddress, _ admission: Admission) async throws -> TenantContext {
        let keys = limiter.keys.addresses(address, of: nil, .read)
        try await admission.admit(keys, .lookup, RateDefaults.lookup, limiter)
        do {
            let tenant = try await tenants.tenant(slug)
            limiter.giveBack(keys)
            return tenant
        } catch {
            if (error as? Problem)?.code != .notFound { limiter.giveBack(keys) }
            throw error
        }
    }

    func admitSharedNotification(_ exchange: Exchange, _ admission: Admission) async throws {
        let keys = limiter.keys.addresses(clientAddress(exchange), of: nil, .write)
        try await admission.admit(keys, .notification, RateDefaults.sharedNotification, limiter)
    }

    /// Whoever has an identity token that is right: counted as a person before there is a user.
    func admit(_ proof: SignIn.Proof, _ call: Call) async throws {
        let person = limiter.keys.person(proof.subject, of: proof.provider, in: call.tenant.id)
        try await call.admission.admit(person, of: call.tenant.id, limiter)
    }

    /// Whoever has the signed address of a picture. Its owner's other requests are counted apart: an address may be handed on.
    func admit(viewerOf image: DrawingImage, _ call: Call) async throws {
        let isOfGuest = image.owner == call.tenant.guest?.user
        try await call.admission.admit(
            viewers: isOfGuest ? nil : limiter.keys.viewers(of: image.owner, in: call.tenant.id),
            of: call.tenant.id,
            limiter
        )
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
