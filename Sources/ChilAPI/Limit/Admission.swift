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

    /// Whose tokens are taken.
    private enum Holder {
        case address
        /// Many addresses: the /48 of an IPv6 one.
        case site
        case user
        /// Those who look at a person's pictures by their signed addresses.
        case viewers
        case tenant

        var scope: RateScope {
            switch self {
            case .address, .site: .address
            case .user, .viewers: .user
            case .tenant: .tenant
            }
        }

        func name(_ kind: RateClass) -> RateField.Name {
            switch self {
            case .site: .site(kind)
            case .viewers: .viewers
            case .address, .user, .tenant: RateField.Name(scope, kind)
            }
        }
    }

    private var kind: RateClass?
    private var rates: TenantRates?
    private var hasAddress = false
    private var hasSite = false
    private var isSignedIn = false
    private var hasViewers = false
    private var hasTenant = false
    /// What has to be asked for.
    private var pending: (holder: Holder, key: RateKey)?
    private var ofAddress: Left?
    private var ofUser: Left?
    /// It was counted for the tenant's quota `requests`, or is not to be.
    var isCountedByTenant = false
    /// The same for the user's.
    var isCountedByUser = false
    /// What of the quota `requests` goes back if the answer is a refusal.
    var provisional: RequestLeases.Taken?
    private var refusal: Left?
    /// Of a rule that is no tenant's.
    private var policy: [UInt8]?

    func reset() {
        kind = nil
        rates = nil
        hasAddress = false
        hasSite = false
        isSignedIn = false
        hasViewers = false
        hasTenant = false
        pending = nil
        isCountedByTenant = false
        isCountedByUser = false
        provisional = nil
        ofAddress = nil
        ofUser = nil
        refusal = nil
        policy = nil
    }

    /// For the quota `requests`.
    func isNeverCounted() {
        isCountedByTenant = true
        isCountedByUser = true
    }

    func begin(_ kind: RateClass, _ rates: TenantRates) {
        self.kind = kind
        self.rates = rates
    }

    // MARK: What a loop can say by itself
    //
    // Nearly always: so nothing here is asynchronous. False: something has to be asked for; `admit` goes on from there.

    /// The address, and its site.
    ///
    /// - Parameter isForAnybody: it counts at once for what all of the tenant have who need not show anything.
    func admitNow(_ address: NetworkAddress, of tenant: TenantID, isForAnybody: Bool, _ limiter: RateLimiter) throws
        -> Bool
    {
        guard let kind else { return true }
        if !hasAddress {
            guard try takeNow(.address, limiter.keys.address(address, of: tenant, kind), limiter) else { return false }
        }
        if !hasSite, let site = limiter.keys.site(address, of: tenant, kind) {
            guard try takeNow(.site, site, limiter) else { return false }
        }
        return isForAnybody ? try admitNow(tenant, isForAnybody: true, limiter) : true
    }

    /// The user, then the tenant: whoever is over a limit of their own uses up nothing of what others have.
    func admitNow(_ user: UserID, of tenant: TenantID, _ limiter: RateLimiter) throws -> Bool {
        guard let kind else { return true }
        return try admitNow(limiter.keys.user(user, of: tenant, kind), of: tenant, limiter)
    }

    private func admitNow(_ person: RateKey, of tenant: TenantID, _ limiter: RateLimiter) throws -> Bool {
        if !isSignedIn {
            guard try takeNow(.user, person, limiter) else { return false }
        }
        return try admitNow(tenant, limiter)
    }

    private func admitNow(viewers: RateKey?, of tenant: TenantID, _ limiter: RateLimiter) throws -> Bool {
        if let viewers, !hasViewers {
            guard try takeNow(.viewers, viewers, limiter) else { return false }
        }
        return try admitNow(tenant, limiter)
    }

    private func admitNow(_ tenant: TenantID, isForAnybody: Bool = false, _ limiter: RateLimiter) throws -> Bool {
        guard let kind, !hasTenant else { return true }
        return try takeNow(.tenant, limiter.keys.tenant(tenant, kind, isForAnybody: isForAnybody), limiter)
    }

    private func rule(of holder: Holder) -> RateRule? {
        guard let kind, let rule = rates?.rule(holder.scope, kind) else { return nil }
        return holder == .site ? rule.ofSite : rule
    }

    private func takeNow(_ holder: Holder, _ key: RateKey, _ limiter: RateLimiter) throws -> Bool {
        guard let kind, let rule = rule(of: holder) else { return true }
        guard let verdict = limiter.takeNow(holder.scope, key, rule, isClosedUnshared: kind == .auth) else {
            pending = (holder, key)
            return false
        }
        try note(verdict, holder, kind, rule)
        return true
    }

    // MARK: What has to be asked for

    func admit(_ address: NetworkAddress, of tenant: TenantID, isForAnybody: Bool, _ limiter: RateLimiter) async throws
    {
        while try !admitNow(address, of: tenant, isForAnybody: isForAnybody, limiter) { try await takePending(limiter) }
    }

    func admit(_ user: UserID, of tenant: TenantID, _ limiter: RateLimiter) async throws {
        while try !admitNow(user, of: tenant, limiter) { try await takePending(limiter) }
    }

    /// Whoever has proven to be somebody who is no user yet.
    func admit(_ person: RateKey, of tenant: TenantID, _ limiter: RateLimiter) async throws {
        while try !admitNow(person, of: tenant, limiter) { try await takePending(limiter) }
    }

    /// - Parameter viewers: those of one person's pictures; `nil`: those of a guest's, who is many people.
    func admit(viewers: RateKey?, of tenant: TenantID, _ limiter: RateLimiter) async throws {
        while try !admitNow(viewers: viewers, of: tenant, limiter) { try await takePending(limiter) }
    }

    /// The tenant alone: its guest is many people, and no rule for one of them holds for all.
    func admitTenant(_ tenant: TenantID, _ limiter: RateLimiter) async throws {
        while try !admitNow(tenant, limiter) { try await takePending(limiter) }
    }

    /// The tenant alone, as those have it who need not show anything.
    func admitAnybody(of tenant: TenantID, _ limiter: RateLimiter) async throws {
        while try !admitNow(tenant, isForAnybody: true, limiter) { try await takePending(limiter) }
    }

    private func takePending(_ limiter: RateLimiter) async throws {
        guard let (holder, key) = pending, let kind, let rule = rule(of: holder) else { return }
        pending = nil
        let verdict = await limiter.take(holder.scope, key, rule, isClosedUnshared: kind == .auth)
        try note(verdict, holder, kind, rule)
    }

    private func note(_ verdict: RateLimiter.Verdict, _ holder: Holder, _ kind: RateClass, _ rule: RateRule) throws {
        switch verdict {
        case .admitted(let remaining, let full):
            switch holder {
            case .address:
                hasAddress = true
                ofAddress = Left(name: holder.name(kind), remaining: remaining, seconds: full)
            case .user:
                isSignedIn = true
                ofUser = Left(name: holder.name(kind), remaining: remaining, seconds: full)
            // What many have left together is nobody's business but where it ends.
            case .site: hasSite = true
            case .viewers: hasViewers = true
            case .tenant: hasTenant = true
            }
        case .refused(let wait):
            switch holder {
            // Whose limit it was is told by its name; those who are refused were signed in.
            case .user: isSignedIn = true
            // It stands in no answer but this.
            case .site, .viewers: policy = RateField.policy(holder.name(kind), rule)
            case .address, .tenant: break
            }
            refusal = Left(name: holder.name(kind), remaining: 0, seconds: wait)
            throw Problem.rateLimited(for: wait)
        case .unknown: throw Problem.databaseAway
        }
    }

    /// By a rule that is no tenant's: the address, and its site.
    func admit(_ keys: AddressKeys, _ name: RateField.Name, _ rule: RateRule, _ limiter: RateLimiter) async throws {
        try note(await limiter.take(.address, keys.own, rule), name, rule)
        guard let site = keys.site else { return }
        do {
            try note(await limiter.take(.address, site, rule.ofSite), name, rule.ofSite)
        } catch {
            limiter.giveBack(.address, keys.own)
            throw error
        }
    }

    private func note(_ verdict: RateLimiter.Verdict, _ name: RateField.Name, _ rule: RateRule) throws {
        guard case .refused(let wait) = verdict else { return }
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
