import ChilCore
import ChilStore

/// What the quota commands need.
protocol QuotaServices {
    func setQuota(_ draft: QuotaDraft, of slug: Slug) async throws(AdminFault) -> QuotaRow
    func unsetQuota(_ key: QuotaKey, of slug: Slug) async throws(AdminFault) -> ChilStore.QuotaUnset.Outcome
    /// Its limits, with what is used of them.
    func quotas(of slug: Slug, for subject: QuotaSubject) async throws(AdminFault) -> [QuotaRow]
    /// The counts that differ from what there is; without `isCheck` they are set right.
    func recountQuotas(of slug: Slug?, isCheck: Bool) async throws(AdminFault) -> [QuotaRecount.Row]
}
