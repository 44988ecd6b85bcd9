import ChilStore

extension QuotaMetric: ArgumentChoice {}
extension QuotaWindow: ArgumentChoice {}

/// How much: zero forbids.
struct QuotaLimit: ArgumentValue, Equatable, Sendable {
    static let expectation = "a whole number from 0 to 9007199254740991"
    /// What a JSON reader with doubles keeps exactly.
    static let max: Int64 = 9_007_199_254_740_991

    let count: Int64

    init?(argument: String) {
        guard let count = Int64(argument: argument), (0...Self.max).contains(count) else { return nil }
        self.count = count
    }
}

/// A limit to be set.
struct QuotaDraft: Equatable, Sendable {
    let metric: QuotaMetric
    let limit: QuotaLimit
    let window: QuotaWindow
}
