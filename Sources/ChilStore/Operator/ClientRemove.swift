package import ChilCore
package import ChilDatabase

/// Takes a client id away; then its provider record too, if it has no other client id and nobody ever signed in by it.
package struct ClientRemove: Sendable {
    let tenant: TenantID
    let provider: ProviderID
    let clientID: String
    let note: OperatorNote

    package init(_ clientID: String, under provider: ProviderID, of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.provider = provider
        self.clientID = clientID
        self.note = note
    }

    /// False: the tenant had no such client id.
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let change = batch.add(ClientDelete(remove: self))
        batch.add(UnusedProviderDelete(tenant: tenant, provider: provider))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(change) != nil
    }
}

private struct ClientDelete: Statement {
    static let sql = SQL(
        """
        with change as (
            delete from provider_client where tenant_id = $1 and provider_id = $5 and client_id = $6
            returning client_id, authority
        ), \(OperatorNote.insert("client.remove", target: "client_id", detail: "authority"))
        select client_id from change
        """
    )

    let remove: ClientRemove

    func bind(_ values: inout BoundValues) {
        remove.note.bind(&values, of: remove.tenant)
        values.append(remove.provider)
        values.append(remove.clientID)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

private struct UnusedProviderDelete: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from provider
         where tenant_id = $1 and provider_id = $2
           and not exists (select from provider_client where tenant_id = $1 and provider_id = $2)
           and not exists (select from identity where tenant_id = $1 and provider_id = $2)
        """
    )

    let tenant: TenantID
    let provider: ProviderID

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(provider)
    }
}
