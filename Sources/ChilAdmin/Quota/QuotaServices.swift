import ChilCore

/// What the quota commands need.
protocol QuotaServices {
    func setQuota(_ draft: QuotaDraft, of slug: Slug) async throws(AdminFault) -> QuotaRow
    func quotas(of slug: Slug) async throws(AdminFault) -> [QuotaRow]
}
