import ChilCore
import ChilStore

/// What the plan commands need.
protocol PlanServices {
    func createPlan(_ name: PlanName) async throws(AdminFault) -> PlanRow
    func plans() async throws(AdminFault) -> [PlanRow]
    func limits(of name: PlanName) async throws(AdminFault) -> [PlanQuotaRow]
    /// Sets a limit of the plan, then of every tenant that has the plan. The plan's limits, and how many tenants changed.
    func setLimit(_ draft: QuotaDraft, of name: PlanName) async throws(AdminFault) -> PlanChangeAnswer
    func unsetLimit(_ key: QuotaKey, of name: PlanName) async throws(AdminFault) -> PlanChangeAnswer
    func assignPlan(_ choice: PlanChoice, to slug: Slug) async throws(AdminFault) -> [QuotaRow]
    func removePlan(_ name: PlanName) async throws(AdminFault)
}

struct PlanChangeAnswer: Sendable {
    let limits: [PlanQuotaRow]
    let tenantsChanged: Int
}

/// A plan.
struct PlanRow: ListingRow, Equatable {
    let name: String
    /// How many tenants have it.
    let tenants: Int64
    let limits: Int64
    /// RFC 3339, UTC.
    let createdAt: String

    static let columns: [Column<Self>] = [
        Column("name") { .text($0.name) },
        Column("tenants") { .number($0.tenants) },
        Column("limits") { .number($0.limits) },
        Column("createdAt") { .text($0.createdAt) },
    ]
}

/// A limit of a plan.
struct PlanQuotaRow: ListingRow, Equatable {
    let metric: String
    let scope: String
    let window: String
    let limit: Int64
    let softLimit: Int64?
    let action: String

    static let columns: [Column<Self>] = [
        Column("metric") { .text($0.metric) },
        Column("scope") { .text($0.scope) },
        Column("window") { .text($0.window) },
        Column("limit") { .number($0.limit) },
        Column("softLimit") { $0.softLimit.map { .number($0) } ?? .none },
        Column("action") { .text($0.action) },
    ]
}

extension PlanRow {
    init(_ record: PlanRecord) {
        self.init(
            name: record.name,
            tenants: record.tenants,
            limits: record.limits,
            createdAt: record.createdAt.description
        )
    }
}

extension PlanQuotaRow {
    init(_ quota: PlanQuota) {
        self.init(
            metric: quota.key.metric.rawValue,
            scope: quota.key.scope.rawValue,
            window: quota.key.window.rawValue,
            limit: quota.terms.limit,
            softLimit: quota.terms.softLimit,
            action: quota.terms.action.rawValue
        )
    }
}
