package import ChilCore
package import ChilDatabase

/// Whose requests are counted together.
package enum RateScope: String, Sendable, CaseIterable {
    /// An IPv4 address, or the /64 of an IPv6 one: what one subscriber has. All of a /48 together have sixteen times the rule.
    case address
    case tenant
    case user
}

/// Routes that are counted together.
package enum RateClass: String, Sendable, CaseIterable {
    /// Signing in, refreshing, signing out.
    case auth
    case read
    /// What changes something.
    case write
    /// Paper.
    case print
}

/// So many requests in so many seconds: a bucket that holds `quota` tokens and fills in `window`. After a pause all of them may come
/// at once.
package struct RateRule: Sendable, Hashable {
    package static let quotaRange: ClosedRange<Int32> = 1...1_000_000_000
    /// Up to a day; longer is a quota's work.
    package static let windowRange: ClosedRange<Int32> = 1...86_400

    package let quota: Int32
    /// In seconds.
    package let window: Int32

    package init(quota: Int32, window: Int32) {
        self.quota = quota
        self.window = window
    }

    /// For all addresses of a site together, where this is for one: whoever holds a /48 has 65,536 of them.
    package var ofSite: RateRule {
        RateRule(quota: Int32(min(Int64(quota) * 16, Int64(Self.quotaRange.upperBound))), window: window)
    }
}

/// What holds where the operator has set nothing else: the only list.
package enum RateDefaults {
    package static func rule(_ scope: RateScope, _ kind: RateClass) -> RateRule {
        switch (scope, kind) {
        // A school is one address: thirty children who open the app at once, each with a list and its pictures.
        case (.address, .auth): RateRule(quota: 300, window: 60)
        case (.address, .read): RateRule(quota: 6_000, window: 60)
        case (.address, .write): RateRule(quota: 600, window: 60)
        case (.address, .print): RateRule(quota: 120, window: 60)
        case (.tenant, .auth): RateRule(quota: 12_000, window: 60)
        case (.tenant, .read): RateRule(quota: 120_000, window: 60)
        case (.tenant, .write): RateRule(quota: 12_000, window: 60)
        case (.tenant, .print): RateRule(quota: 2_400, window: 60)
        case (.user, .auth): RateRule(quota: 120, window: 60)
        case (.user, .read): RateRule(quota: 1_200, window: 60)
        case (.user, .write): RateRule(quota: 240, window: 60)
        case (.user, .print): RateRule(quota: 30, window: 60)
        }
    }

    /// Asking for tenants that are not, per address: each such question is one to the database.
    package static let lookup = RateRule(quota: 120, window: 60)
    /// What a provider tells all tenants at once, per address: its own servers' only.
    package static let sharedNotification = RateRule(quota: 1_200, window: 60)
}

/// A tenant's own rule.
package struct RateLimitRecord: Sendable, Hashable {
    package let scope: RateScope
    package let kind: RateClass
    package let rule: RateRule

    package init(_ scope: RateScope, _ kind: RateClass, _ rule: RateRule) {
        self.scope = scope
        self.kind = kind
        self.rule = rule
    }

    static let columns = "scope, class, quota, window_s"

    init(_ row: ResultRow) throws(DatabaseError) {
        scope = try row.word(0)
        kind = try row.word(1)
        rule = RateRule(quota: try row.int32(2), window: try row.int32(3))
    }
}

/// What a tenant has instead of the defaults.
package struct RateLimitList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select \(RateLimitRecord.columns) from rate_limit where tenant_id = $1 order by scope, class"
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> RateLimitRecord { try RateLimitRecord(row) }
}
