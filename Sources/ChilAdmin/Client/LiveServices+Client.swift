import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: ClientServices {
    func addClients(_ draft: ProviderDraft, to slug: Slug) async throws(AdminFault) -> [ClientRow] {
        let tenant = try await record(of: slug)
        let wanted = Set(draft.clientIDs.map(\.text))
        let change = ClientsAdd(
            draft.clientIDs.map(\.text),
            to: tenant.id,
            under: try target(for: draft, among: try await providers(of: tenant), slug),
            by: settings.operatorName,
            at: now(),
            nextAudit: try auditNumbers(draft.clientIDs.count + 1)
        )
        try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        return try await clients(of: slug).filter { wanted.contains($0.clientID) && $0.issuers == draft.issuers }
    }

    func clients(of slug: Slug) async throws(AdminFault) -> [ClientRow] {
        try await providers(of: try await record(of: slug)).flatMap(ClientRow.rows)
    }

    func removeClient(_ clientID: ClientID, from slug: Slug) async throws(AdminFault) -> [ClientRow] {
        let tenant = try await record(of: slug)
        var removed: [ClientRow] = []
        for provider in try await providers(of: tenant) where provider.clientIDs.contains(clientID.text) {
            let change = ChilStore.ClientRemove(clientID.text, under: provider.id, of: tenant.id, note: try note())
            let wasThere = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
            if wasThere { removed += ClientRow.rows(of: provider).filter { $0.clientID == clientID.text } }
        }
        guard !removed.isEmpty else { throw .noSuchClient(clientID.text, tenant: slug.text) }
        return removed
    }

    func providers(of tenant: TenantRecord) async throws(AdminFault) -> [ProviderRecord] {
        try await ask { database throws(DatabaseError) in try await ProviderList(of: tenant.id).rows(from: database) }
    }

    /// The record with the same issuers, if it says the same otherwise; else a new one.
    private func target(
        for draft: ProviderDraft,
        among providers: [ProviderRecord],
        _ slug: Slug
    ) throws(AdminFault) -> ClientsAdd.Target {
        let wanted = draft.record(id: try fresh())
        guard let existing = providers.first(where: { $0.issuers == wanted.issuers }) else { return .new(wanted) }
        let differences = draft.differences(from: existing)
        guard differences.isEmpty else {
            throw AdminFault(
                .dataRefused,
                "the tenant accepts these issuers already, with another \(differences.joined(separator: ", "))",
                remedy:
                    "Give the same flags as before, or remove its client ids first: `chiladmin client list \(slug) -o json`."
            )
        }
        return .existing(existing)
    }

    private func auditNumbers(_ count: Int) throws(AdminFault) -> @Sendable () -> AuditID {
        let numbers = numbers
        let now = now()
        let last: AuditID = try numbers.next(at: now)
        return { (try? numbers.next(at: now)) ?? last }
    }
}
