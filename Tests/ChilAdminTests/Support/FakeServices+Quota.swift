import ChilCore
import ChilStore

@testable import ChilAdmin

/// Quotas, plans and rate limits.
extension FakeServices {
    func setQuota(_ draft: QuotaDraft, of slug: Slug) async throws(AdminFault) -> QuotaRow {
        try note("set \(draft.key) \(draft.terms.limit) of \(slug)")
        quotaDrafts.append(draft)
        return Sample.quota
    }

    func unsetQuota(_ key: QuotaKey, of slug: Slug) async throws(AdminFault) -> ChilStore.QuotaUnset.Outcome {
        try note("unset \(key) of \(slug)")
        return unsetOutcome
    }

    func recountQuotas(of slug: Slug?, isCheck: Bool) async throws(AdminFault) -> [ChilAdmin.QuotaRecount.Row] {
        try note("recount \(slug?.description ?? "all")\(isCheck ? " only" : "")")
        return countDifferences
    }

    func createPlan(_ name: PlanName) async throws(AdminFault) -> PlanRow {
        try note("create plan \(name.text)")
        return Sample.plan
    }

    func plans() async throws(AdminFault) -> [PlanRow] {
        try note("plans")
        return [Sample.plan]
    }

    func limits(of name: PlanName) async throws(AdminFault) -> [PlanQuotaRow] {
        try note("limits of \(name.text)")
        return [Sample.planQuota]
    }

    func setLimit(_ draft: QuotaDraft, of name: PlanName) async throws(AdminFault) -> PlanChangeAnswer {
        try note("set \(draft.key) \(draft.terms.limit) of plan \(name.text)")
        return PlanChangeAnswer(limits: [Sample.planQuota], tenantsChanged: 3)
    }

    func unsetLimit(_ key: QuotaKey, of name: PlanName) async throws(AdminFault) -> PlanChangeAnswer {
        try note("unset \(key) of plan \(name.text)")
        return PlanChangeAnswer(limits: [], tenantsChanged: 1)
    }

    func assignPlan(_ choice: PlanChoice, to slug: Slug) async throws(AdminFault) -> [QuotaRow] {
        switch choice {
        case .none: try note("no plan for \(slug)")
        case .plan(let name): try note("plan \(name.text) for \(slug)")
        }
        return quotaRows
    }

    func removePlan(_ name: PlanName) async throws(AdminFault) {
        try note("remove plan \(name.text)")
    }

    func quotas(of slug: Slug, for subject: QuotaSubject) async throws(AdminFault) -> [QuotaRow] {
        try note("quotas of \(slug)")
        return quotaRows
    }

    func setLimits(_ choice: LimitChoice, to rule: RateRule, of slug: Slug) async throws(AdminFault) -> [LimitRow] {
        try note("limit \(choice.scopes) \(choice.classes) \(rule.quota) in \(rule.window) s of \(slug)")
        return LimitRow.all(choice.places.map { RateLimitRecord($0.scope, $0.kind, rule) })
    }

    func unsetLimits(_ choice: LimitChoice, of slug: Slug) async throws(AdminFault) -> [LimitRow] {
        try note("no limit \(choice.scopes) \(choice.classes) of \(slug)")
        return LimitRow.all([])
    }

    func limits(of slug: Slug) async throws(AdminFault) -> [LimitRow] {
        try note("limits of \(slug)")
        return LimitRow.all([])
    }
}
