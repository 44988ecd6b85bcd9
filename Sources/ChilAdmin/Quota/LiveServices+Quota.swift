import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: QuotaServices {
    func setQuota(_ draft: QuotaDraft, of slug: Slug) async throws(AdminFault) -> QuotaRow {
        let tenant = try await record(of: slug)
        let change = ChilStore.QuotaSet(draft.key, to: draft.terms, of: tenant.id, note: try note())
        return QuotaRow(try await ask { database throws(DatabaseError) in try await change.run(on: database) })
    }

    func unsetQuota(_ key: QuotaKey, of slug: Slug) async throws(AdminFault) -> ChilStore.QuotaUnset.Outcome {
        let tenant = try await record(of: slug)
        let change = ChilStore.QuotaUnset(key, of: tenant.id, note: try note())
        return try await ask { database throws(DatabaseError) in try await change.run(on: database) }
    }

    func quotas(of slug: Slug, for subject: QuotaSubject) async throws(AdminFault) -> [QuotaRow] {
        let tenant = try await record(of: slug)
        if let user = subject.user { _ = try await self.user(user, of: slug) }
        var printer: PrinterID?
        if let name = subject.printer {
            guard let found = try await printers(of: slug).first(where: { $0.name.isExactly(name) }) else {
                throw .noSuchPrinter(name, tenant: slug.text)
            }
            printer = PrinterID(rawValue: found.id)
        }
        let list = ChilStore.QuotaList(of: tenant.id, user: subject.user?.id, printer: printer, at: now())
        return try await ask { database throws(DatabaseError) in try await list.rows(from: database) }
            .map(QuotaRow.init)
    }

    func recountQuotas(of slug: Slug?, isCheck: Bool) async throws(AdminFault) -> [QuotaRecount.Row] {
        let tenants: [TenantRecord]
        if let slug {
            tenants = [try await record(of: slug)]
        } else {
            tenants = try await ask { database throws(DatabaseError) in
                try await database.run(ChilStore.TenantList(), .read, of: nil)
            }
        }
        var rows: [QuotaRecount.Row] = []
        let progress = progress("quota recount", of: tenants.count, "tenants")
        defer { progress.end() }
        for (index, tenant) in tenants.enumerated() {
            progress.reached(Int64(index))
            let differences: [QuotaDifference]
            if isCheck {
                differences = try await ask { database throws(DatabaseError) in
                    try await QuotaCheck(of: tenant.id).rows(from: database)
                }
            } else {
                let recount = ChilStore.QuotaRecount(of: tenant.id, note: try note())
                differences = try await ask { database throws(DatabaseError) in try await recount.run(on: database) }
            }
            rows += differences.map { QuotaRecount.Row($0, of: tenant.slug) }
        }
        return rows
    }
}
