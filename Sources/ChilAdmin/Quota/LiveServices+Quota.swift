import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: QuotaServices {
    func setQuota(_ draft: QuotaDraft, of slug: Slug) async throws(AdminFault) -> QuotaRow {
        let tenant = try await record(of: slug)
        let change = ChilStore.QuotaSet(
            draft.metric,
            of: tenant.id,
            window: draft.window,
            limit: draft.limit.count,
            note: try note()
        )
        return QuotaRow(try await ask { database throws(DatabaseError) in try await change.run(on: database) })
    }

    func quotas(of slug: Slug) async throws(AdminFault) -> [QuotaRow] {
        let tenant = try await record(of: slug)
        return try await ask { database throws(DatabaseError) in
            try await ChilStore.QuotaList(of: tenant.id).rows(from: database)
        }.map(QuotaRow.init)
    }
}
