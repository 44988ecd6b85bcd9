import ChilCore
import ChilHTTP
import ChilStore

/// A tenant's rules of rate, and what its answers say of them. Tenants without rules of their own share one.
final class TenantRates: Sendable {
    static let standard = TenantRates(own: [])

    /// By class and scope.
    private let rules: [RateRule]
    /// By class: `RateLimit-Policy` without and with the user's rule.
    private let policies: [(anonymous: PreparedField, signedIn: PreparedField)]

    static func of(_ records: [RateLimitRecord]) -> TenantRates {
        records.isEmpty ? standard : TenantRates(own: records)
    }

    private init(own records: [RateLimitRecord]) {
        var rules: [RateRule] = []
        var policies: [(anonymous: PreparedField, signedIn: PreparedField)] = []
        for kind in RateClass.allCases {
            var items: [[UInt8]] = []
            for scope in RateScope.allCases {
                let own = records.first { $0.scope == scope && $0.kind == kind }
                let rule = own?.rule ?? RateDefaults.rule(scope, kind)
                rules.append(rule)
                items.append(RateField.policy(RateField.Name(scope, kind), rule))
            }
            policies.append((Self.line(Array(items.prefix(2))), Self.line(items)))
        }
        self.rules = rules
        self.policies = policies
    }

    private static func line(_ items: [[UInt8]]) -> PreparedField {
        PreparedField("RateLimit-Policy", RateField.list(items))
    }

    func rule(_ scope: RateScope, _ kind: RateClass) -> RateRule {
        rules[kind.place * RateScope.allCases.count + scope.place]
    }

    func policy(_ kind: RateClass, isSignedIn: Bool) -> PreparedField {
        isSignedIn ? policies[kind.place].signedIn : policies[kind.place].anonymous
    }
}

extension RateScope {
    /// In the order of `allCases`.
    fileprivate var place: Int {
        switch self {
        case .address: 0
        case .tenant: 1
        case .user: 2
        }
    }
}

extension RateClass {
    /// In the order of `allCases`.
    fileprivate var place: Int {
        switch self {
        case .auth: 0
        case .read: 1
        case .write: 2
        case .print: 3
        }
    }
}
