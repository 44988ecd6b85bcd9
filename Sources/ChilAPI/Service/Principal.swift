import ChilCore
import ChilHTTP
import ChilStore

/// For whom a call acts: whoever is signed in, or the tenant's guest, who is everybody without a token.
struct Principal: Sendable {
    let tenant: TenantID
    let user: UserID
    let isGuest: Bool
}

extension Session {
    var principal: Principal { Principal(tenant: tenant, user: user, isGuest: false) }
}

extension APIService {
    /// For whom a call acts, on the routes that the first app uses: it sends no `Authorization`, and is the guest of tenants that
    /// have one. Whoever sends one has to be signed in, here too.
    func principal(_ call: Call) async throws -> Principal {
        guard let guest = call.tenant.guest, !call.head.has(.authorization) else {
            return try await session(call).principal
        }
        try await call.admission.admitTenant(call.tenant.id, limiter)
        if call.tenant.countsRequests { try await count(by: guest.user, call.tenant, call.admission) }
        return Principal(tenant: call.tenant.id, user: guest.user, isGuest: true)
    }
}
