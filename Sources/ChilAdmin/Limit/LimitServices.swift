import ChilCore
import ChilStore

/// What the limit commands need.
protocol LimitServices {
    /// All rules that hold after it.
    func setLimits(_ choice: LimitChoice, to rule: RateRule, of slug: Slug) async throws(AdminFault) -> [LimitRow]
    func unsetLimits(_ choice: LimitChoice, of slug: Slug) async throws(AdminFault) -> [LimitRow]
    func limits(of slug: Slug) async throws(AdminFault) -> [LimitRow]
}
