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
    private var hasAddress = false
    private var isSignedIn = false
    private var hasTenant = false
    /// What has to be asked for.
    private var pending: (scope: RateScope, key: RateKey)?
    private var ofAddress: Left?
    private var ofUser: Left?
    /// It was counted for the tenant's quota `requests`, or is not to be.
    var isCountedByTenant = false
    /// The same for the user's.
    var isCountedByUser = false
    private var refusal: Left?
    /// Of a rule that is no tenant's.
    private var policy: [UInt8]?

    func reset() {
        kind = nil
        rates = nil
        hasAddress = false
        isSignedIn = false
        hasTenant = false
        pending = nil
        isCountedByTenant = false
        isCountedByUser = false
        ofAddress = nil
        ofUser = nil
        refusal = nil
        policy = nil
    }

    func begin(_ kind: RateClass, _ rates: TenantRates) {
        self.kind = kind
        self.rates = rates
    }

    // MARK: What a loop can say by itself
    //
    // Nearly always: so nothing here is asynchronous. False: something has to be asked for; `admit` goes on from there.

    /// The address, and the tenant where nobody has to be signed in: what anybody sends without a token shall not use the tenant up.
    func admitNow(_ address: NetworkAddress, of tenant: TenantID, withTenant: Bool, _ limiter: RateLimiter) throws
        -> Bool
    {
        guard let kind else { return true }
        if !hasAddress {
            guard try takeNow(.address, limiter.keys.address(address, of: tenant, kind), limiter) else { return false }
        }
        return withTenant ? try admitNow(tenant, limiter) : true
    }

    /// The user, then the tenant: whoever is over a limit of their own uses up nothing of what others have.
    func admitNow(_ user: UserID, of tenant: TenantID, _ limiter: RateLimiter) throws -> Bool {
        guard let kind else { return true }
        if !isSignedIn {
            guard try takeNow(.user, limiter.keys.user(user, of: tenant, kind), limiter) else { return false }
        }
        return try admitNow(tenant, limiter)
    }

    private func admitNow(_ tenant: TenantID, _ limiter: RateLimiter) throws -> Bool {
        guard let kind, !hasTenant else { return true }
        return try takeNow(.tenant, limiter.keys.tenant(tenant, kind), limiter)
    }

    private func takeNow(_ scope: RateScope, _ key: RateKey, _ limiter: RateLimiter) throws -> Bool {
        guard let kind, let rule = rates?.rule(scope, kind) else { return true }
        guard let verdict = limiter.takeNow(scope, key, rule, isClosedUnshared: kind == .auth) else {
            pending = (scope, key)
            return false
        }
        try note(verdict, scope, kind)
        return true
    }

    // MARK: What has to be asked for

    func admit(_ address: NetworkAddress, of tenant: TenantID, withTenant: Bool, _ limiter: RateLimiter) async throws {
        while try !admitNow(address, of: tenant, withTenant: withTenant, limiter) { try await takePending(limiter) }
    }

    func admit(_ user: UserID, of tenant: TenantID, _ limiter: RateLimiter) async throws {
        while try !admitNow(user, of: tenant, limiter) { try await takePending(limiter) }
    }

    /// The tenant alone: its guest is many people, and no rule for one of them holds for all.
    func admitGuest(of tenant: TenantID, _ limiter: RateLimiter) async throws {
        while try !admitNow(tenant, limiter) { try await takePending(limiter) }
    }

    private func takePending(_ limiter: RateLimiter) async throws {
        guard let (scope, key) = pending, let kind, let rule = rates?.rule(scope, kind) else { return }
        pending = nil
        try note(await limiter.take(scope, key, rule, isClosedUnshared: kind == .auth), scope, kind)
    }

    private func note(_ verdict: RateLimiter.Verdict, _ scope: RateScope, _ kind: RateClass) throws {
        switch verdict {
        case .admitted(let remaining, let full):
            switch scope {
            case .address:
                hasAddress = true
                ofAddress = Left(name: RateField.Name(scope, kind), remaining: remaining, seconds: full)
            case .user:
                isSignedIn = true
                ofUser = Left(name: RateField.Name(scope, kind), remaining: remaining, seconds: full)
            // What all of a tenant have left is nobody's business but where it ends.
            case .tenant: hasTenant = true
            }
        case .refused(let wait):
            // Whose limit it was is told by its name; those who are refused were signed in.
            if scope == .user { isSignedIn = true }
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
            response.add(rates.policy(kind, isSignedIn: isOfUser))
        }
        RateField.withLimit(left.name, remaining: left.remaining, seconds: left.seconds) {
            response.add("RateLimit", $0)
        }
    }
}
