package import ChilCore
package import ChilDatabase

/// Changes settings of a provider record; what is not named stays as it is. Running services act on it within a second.
///
/// `.conflict` names the constraint: `provider_issuer_pkey` (an issuer is in another record of this tenant),
/// `provider_client_production_key` (a client id belongs to another tenant under the new first issuer).
package struct ProviderSet: Sendable {
    /// `nil`: as before.
    package struct Changes: Sendable, Equatable {
        package var issuers: [String]?
        package var jwksURL: String?
        package var algorithms: [String]?
        package var noncePolicy: ProviderRecord.NoncePolicy?
        package var iatAgeMax: Duration?
        package var allowedPrivateEndpoint: Change<String>?
        /// New ones work until the provider says otherwise: what it said of the old ones is forgotten.
        package var credentials: Change<ProviderREST.Credentials>?
        package var authorizeURL: String?
        package var tokenURL: String?
        package var revokeURL: String?
        package var migrationURL: String?

        package init() {}

        /// The settings that are named, for the audit: never their values.
        package var names: [String] {
            var names: [String] = []
            if issuers != nil { names.append("issuers") }
            if jwksURL != nil { names.append("jwks_url") }
            if algorithms != nil { names.append("algorithms") }
            if noncePolicy != nil { names.append("nonce_policy") }
            if iatAgeMax != nil { names.append("iat_age_max") }
            if allowedPrivateEndpoint != nil { names.append("allowed_private_endpoint") }
            if credentials != nil { names.append("credentials") }
            if authorizeURL != nil { names.append("authorize_url") }
            if tokenURL != nil { names.append("token_url") }
            if revokeURL != nil { names.append("revoke_url") }
            if migrationURL != nil { names.append("migration_url") }
            return names
        }
    }

    package enum Change<Value: Sendable & Equatable>: Sendable, Equatable {
        case set(Value)
        case remove

        var value: Value? {
            if case .set(let value) = self { value } else { nil }
        }
    }

    /// What one client id is used for.
    package struct ClientUse: Sendable {
        let client: ProviderClientRecord
        let note: OperatorNote

        package init(_ client: ProviderClientRecord, note: OperatorNote) {
            self.client = client
            self.note = note
        }
    }

    let tenant: TenantID
    let provider: ProviderID
    let changes: Changes
    let clientUse: ClientUse?
    let note: OperatorNote

    package init(
        _ changes: Changes,
        of provider: ProviderID,
        in tenant: TenantID,
        clientUse: ClientUse? = nil,
        note: OperatorNote
    ) {
        self.tenant = tenant
        self.provider = provider
        self.changes = changes
        self.clientUse = clientUse
        self.note = note
    }

    /// False: there is no such record, or no such client id in it.
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let change = changes == Changes() ? nil : batch.add(ProviderUpdate(set: self))
        if let issuers = changes.issuers {
            batch.add(IssuersDelete(tenant: tenant, provider: provider))
            for (position, issuer) in issuers.enumerated() {
                batch.add(
                    IssuerInsert(tenant: tenant, provider: provider, issuer: issuer, position: Int32(position))
                )
            }
            batch.add(AuthorityUpdate(tenant: tenant, provider: provider, authority: issuers.first ?? ""))
        }
        let use = clientUse.map { batch.add(ClientUseUpdate(tenant: tenant, provider: provider, use: $0)) }
        batch.add(Notify.tenant(tenant))
        let result = try await database.run(batch)
        if let change, try result.first(change) == nil { return false }
        if let use, try result.first(use) == nil { return false }
        return change != nil || use != nil
    }
}

private struct ProviderUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update provider
               set jwks_url = coalesce($6, jwks_url),
                   algorithms = coalesce($7, algorithms),
                   nonce_policy = coalesce($8, nonce_policy),
                   iat_age_max_s = coalesce($9, iat_age_max_s),
                   allowed_private_endpoint = case when $10 then $11 else allowed_private_endpoint end,
                   team_id = case when $12 then $13 else team_id end,
                   key_id = case when $12 then $14 else key_id end,
                   sealed_key = case when $12 then $15 else sealed_key end,
                   credential_fault = case when $12 then null else credential_fault end,
                   authorize_url = coalesce($16, authorize_url),
                   token_url = coalesce($17, token_url),
                   revoke_url = coalesce($18, revoke_url),
                   migration_url = coalesce($19, migration_url)
             where tenant_id = $1 and provider_id = $5
            returning provider_id
        ), \(OperatorNote.insert("provider.set", target: "provider_id::text", detail: "$20"))
        select provider_id from change
        """
    )

    let set: ProviderSet

    func bind(_ values: inout BoundValues) {
        let changes = set.changes
        set.note.bind(&values, of: set.tenant)
        values.append(set.provider)
        values.append(changes.jwksURL)
        values.append(changes.algorithms?.joined(separator: "\n"))
        values.append(changes.noncePolicy?.rawValue)
        values.append(int32: changes.iatAgeMax.map { Int32(clamping: $0.components.seconds) })
        values.append(changes.allowedPrivateEndpoint != nil)
        values.append(changes.allowedPrivateEndpoint?.value)
        values.append(changes.credentials != nil)
        let credentials = changes.credentials?.value
        values.append(credentials?.teamID)
        values.append(credentials?.keyID)
        values.append(credentials?.sealedKey)
        values.append(changes.authorizeURL)
        values.append(changes.tokenURL)
        values.append(changes.revokeURL)
        values.append(changes.migrationURL)
        values.append(changes.names.joined(separator: " "))
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> ProviderID { try row.id(0) }
}

private struct IssuersDelete: Statement {
    typealias Row = Void

    static let sql = SQL("delete from provider_issuer where tenant_id = $1 and provider_id = $2")

    let tenant: TenantID
    let provider: ProviderID

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(provider)
    }
}

/// The first issuer is the authority by which a production client id has one tenant.
private struct AuthorityUpdate: Statement {
    typealias Row = Void

    static let sql = SQL(
        "update provider_client set authority = $3 where tenant_id = $1 and provider_id = $2 and authority <> $3"
    )

    let tenant: TenantID
    let provider: ProviderID
    let authority: String

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(provider)
        values.append(authority)
    }
}

private struct ClientUseUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update provider_client set client_use = $7, redirect_uri = $8, return_url = $9
             where tenant_id = $1 and provider_id = $5 and client_id = $6
            returning client_id, client_use
        ), \(OperatorNote.insert("client.set", target: "client_id", detail: "client_use"))
        select client_id from change
        """
    )

    let tenant: TenantID
    let provider: ProviderID
    let use: ProviderSet.ClientUse

    func bind(_ values: inout BoundValues) {
        use.note.bind(&values, of: tenant)
        values.append(provider)
        values.append(use.client.id)
        values.append(use.client.use.rawValue)
        values.append(use.client.redirectURI)
        values.append(use.client.returnURL)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
