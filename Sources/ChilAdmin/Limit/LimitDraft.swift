import ChilStore

/// One scope, or all of them.
enum LimitScopes: String, ArgumentChoice {
    case address, tenant, user, all

    var scopes: [RateScope] {
        RateScope(rawValue: rawValue).map { [$0] } ?? RateScope.allCases
    }
}

/// One class of routes, or all of them.
enum LimitClasses: String, ArgumentChoice {
    case auth, read, write, print, all

    var classes: [RateClass] {
        RateClass(rawValue: rawValue).map { [$0] } ?? RateClass.allCases
    }
}

/// How many requests.
struct RequestCount: ArgumentValue, Equatable, Sendable {
    static let expectation =
        "a whole number from \(RateRule.quotaRange.lowerBound) to \(RateRule.quotaRange.upperBound)"

    let count: Int32

    init?(argument: String) {
        guard let count = Int64(argument: argument).flatMap({ Int32(exactly: $0) }), RateRule.quotaRange.contains(count)
        else {
            return nil
        }
        self.count = count
    }
}

/// In how many seconds.
struct RateWindow: ArgumentValue, Equatable, Sendable {
    static let usual = RateWindow(60)
    static let expectation =
        "a whole number of seconds from \(RateRule.windowRange.lowerBound) to \(RateRule.windowRange.upperBound)"

    let seconds: Int32

    private init(_ seconds: Int32) { self.seconds = seconds }

    init?(argument: String) {
        guard let seconds = Int64(argument: argument).flatMap({ Int32(exactly: $0) }),
            RateRule.windowRange.contains(seconds)
        else { return nil }
        self.seconds = seconds
    }
}

/// Which of a tenant's rules.
struct LimitChoice: Equatable, Sendable {
    let scopes: LimitScopes
    let classes: LimitClasses

    /// Every rule that is meant.
    var places: [(scope: RateScope, kind: RateClass)] {
        scopes.scopes.flatMap { scope in classes.classes.map { (scope, $0) } }
    }
}
