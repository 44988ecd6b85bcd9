import ChilDatabase

/// Which limit: what is counted, whose, and for how long.
package struct QuotaKey: Hashable, Sendable, CustomStringConvertible {
    package let metric: QuotaMetric
    package let scope: QuotaScope
    package let window: QuotaWindow

    /// Why there can be no such limit, and what there can be instead.
    package struct Fault: Error, Equatable, Sendable {
        package let reason: String
        package let remedy: String

        package init(reason: String, remedy: String) {
            self.reason = reason
            self.remedy = remedy
        }
    }

    /// - Parameters:
    ///   - scope: `nil` for the widest that the metric has.
    ///   - window: `nil` for none, where the metric has that.
    /// - Throws: `Fault` if the metric cannot be counted so.
    package init(_ metric: QuotaMetric, _ scope: QuotaScope? = nil, _ window: QuotaWindow? = nil) throws(Fault) {
        let scope = scope ?? metric.scopes[0]
        let window = window ?? .none
        guard metric.scopes.contains(scope) else {
            throw Fault(
                reason: "\(metric.rawValue) cannot be limited for each \(scope.rawValue)",
                remedy: "Give the scope \(Self.list(metric.scopes.map(\.rawValue)))."
            )
        }
        guard metric.windows.contains(window) else {
            throw Fault(
                reason: window == .none
                    ? "\(metric.rawValue) is counted by window" : "\(metric.rawValue) has no window \(window.rawValue)",
                remedy: "Give the window \(Self.list(metric.windows.map(\.rawValue)))."
            )
        }
        self.init(stored: metric, scope, window)
    }

    /// One that is in the database, or in a test's hand.
    package init(stored metric: QuotaMetric, _ scope: QuotaScope, _ window: QuotaWindow) {
        self.metric = metric
        self.scope = scope
        self.window = window
    }

    init(_ row: ResultRow, from column: Int = 0) throws(DatabaseError) {
        self.init(stored: try row.word(column), try row.word(column + 1), try row.word(column + 2))
    }

    package var description: String { "\(metric.rawValue) \(scope.rawValue) \(window.rawValue)" }

    /// Every limit that there can be.
    package static let all: [Self] = QuotaMetric.allCases.flatMap { metric in
        metric.scopes.flatMap { scope in metric.windows.map { Self(stored: metric, scope, $0) } }
    }

    private static func list(_ words: [String]) -> String {
        words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    }
}

/// Which limits make sense. What lasts is counted in all, and what comes again by window; what is both, either way.
extension QuotaMetric {
    package var scopes: [QuotaScope] {
        switch self {
        case .users, .printers: [.tenant]
        case .drawings, .storageBytes, .generations, .motions, .requests: [.tenant, .user]
        case .printJobs, .printedPages: [.tenant, .user, .printer]
        case .sessionsPerUser: [.user]
        }
    }

    package var windows: [QuotaWindow] {
        switch self {
        case .users, .drawings: QuotaWindow.allCases
        // What lies there, not what was sent.
        case .storageBytes, .printers, .sessionsPerUser: [.none]
        // No row is kept for each for good: there would be nothing to hold a count against.
        case .generations, .motions, .printJobs, .printedPages, .requests: [.minute, .hour, .day, .month]
        }
    }

    /// How much a limit may be.
    package var limits: ClosedRange<Int64> {
        self == .sessionsPerUser ? 1...1_000 : 0...Self.limitMax
    }

    /// What a JSON reader with doubles keeps exactly.
    private static let limitMax: Int64 = 9_007_199_254_740_991
}
