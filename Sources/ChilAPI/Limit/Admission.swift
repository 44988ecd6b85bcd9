import ChilCore
import ChilHTTP
import ChilStore

/// What one request was counted for, and what its answer says of it. A loop uses them again and again. Not `Sendable`.
final class Admission {
    /// What is left of one rule.
    private struct Left {
        let name: RateField.Name
        let remaining: Int64
        let seconds: Int64
    }

    private var kind: RateClass?
    private var rates: TenantRates?
    private var isSignedIn = false
    private var hasTenant = false
    private var ofAddress: Left?
    private var ofUser: Left?
    /// By whose quota `requests` it was counted, or is not to be.
    var counted: RequestScopes = []
    private var refusal: Left?
    /// Of a rule that is no tenant's.
    private var policy: [UInt8]?

    func reset() {
        kind = nil
        rates = nil
        isSignedIn = false
        hasTenant = false
        counted = []
        ofAddress = nil
        ofUser = nil
        refusal = nil
        policy = nil
    }

    func begin(_ kind: RateClass, _ rates: TenantRates) {
        self.kind = kind
        self.rates = rates
    }

    /// The address, and the tenant where nobody has to be signed in: what anybody sends without a token shall not use the tenant up.
    func admit(
        _ address: NetworkAddress,
        of tenant: TenantID,
        withTenant: Bool,
        _ limiter: RateLimiter
    ) async throws {
        guard let kind else { return }
        try await take(.address, limiter.keys.address(address, of: tenant, kind), limiter)
        if withTenant { try await admit(tenant, limiter) }
    }

    /// The user, then the tenant: whoever is over a limit of their own uses up nothing of what others have.
    func admit(_ user: UserID, of tenant: TenantID, _ limiter: RateLimiter) async throws {
        guard let kind, !isSignedIn else { return }
        isSignedIn = true
        try await take(.user, limiter.keys.user(user, of: tenant, kind), limiter)
        try await admit(tenant, limiter)
    }

    private func admit(_ tenant: TenantID, _ limiter: RateLimiter) async throws {
        guard let kind, !hasTenant else { return }
        hasTenant = true
        try await take(.tenant, limiter.keys.tenant(tenant, kind), limiter)
    }

    private func take(_ scope: RateScope, _ key: RateKey, _ limiter: RateLimiter) async throws {
        guard let kind, let rule = rates?.rule(scope, kind) else { return }
        let isAuth = kind == .auth
        let verdict: RateLimiter.Verdict
        if let now = limiter.takeNow(scope, key, rule, isClosedUnshared: isAuth) {
            verdict = now
        } else {
            verdict = await limiter.take(scope, key, rule, isClosedUnshared: isAuth)
        }
        switch verdict {
        case .admitted(let remaining, let full):
            let left = Left(name: RateField.Name(scope, kind), remaining: remaining, seconds: full)
            switch scope {
            case .address: ofAddress = left
            case .user: ofUser = left
            // What all of a tenant have left is nobody's business but where it ends.
            case .tenant: break
            }
        case .refused(let wait):
            refusal = Left(name: RateField.Name(scope, kind), remaining: 0, seconds: wait)
            throw Problem.rateLimited(for: wait)
        case .unknown: throw Problem.databaseAway
        }
    }

    /// By a rule that is no tenant's.
    func admit(_ key: RateKey, _ name: RateField.Name, _ rule: RateRule, _ limiter: RateLimiter) async throws {
        guard case .refused(let wait) = await limiter.take(.address, key, rule) else { return }
        refusal = Left(name: name, remaining: 0, seconds: wait)
        policy = RateField.policy(name, rule)
        throw Problem.rateLimited(for: wait)
    }

    func write(into response: inout Response) {
        // Whose token it was stays untold where it is not good.
        let isOfUser = isSignedIn && response.status != .unauthorized
        var left = ofAddress
        if isOfUser, let ofUser, ofUser.remaining <= left?.remaining ?? .max { left = ofUser }
        guard let left = refusal ?? left else { return }
        if let policy {
            response.add("RateLimit-Policy", policy)
        } else if let kind, let rates {
            response.add("RateLimit-Policy", rates.policy(kind, isSignedIn: isOfUser))
        }
        RateField.withLimit(left.name, remaining: left.remaining, seconds: left.seconds) {
            response.add("RateLimit", $0)
        }
    }
}
