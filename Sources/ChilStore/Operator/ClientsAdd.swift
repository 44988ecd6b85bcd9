package import ChilCore
package import ChilDatabase

/// Client ids for a tenant, under a provider record of its own, made now if it is new.
///
/// `.conflict` names the constraint: `provider_client_production_key` (the client id belongs to another tenant),
/// `provider_client_pkey` (this tenant has it), `provider_issuer_pkey` (an issuer is in another record of this tenant).
package struct ClientsAdd: Sendable {
    /// Where the client ids go.
    package enum Target: Sendable {
        case existing(ProviderRecord)
        /// A record that is not stored yet; its `clients` are not looked at.
        case new(ProviderRecord)

        var provider: ProviderRecord {
            switch self {
            case .existing(let provider), .new(let provider): provider
            }
        }
    }

    let tenant: TenantID
    let target: Target
    let clientIDs: [String]
    let operatorName: String
    let now: Timestamp
    let nextAudit: @Sendable () -> AuditID

    /// - Parameter nextAudit: gives a fresh number at each call, one for each client id and one for a new record.
    package init(
        _ clientIDs: [String],
        to tenant: TenantID,
        under target: Target,
        by operatorName: String,
        at now: Timestamp,
        nextAudit: @escaping @Sendable () -> AuditID
    ) {
        self.tenant = tenant
        self.target = target
        self.clientIDs = clientIDs
        self.operatorName = operatorName
        self.now = now
        self.nextAudit = nextAudit
    }

    package func run(on database: some Database) async throws(DatabaseError) {
        var batch = Batch(.write, of: tenant)
        let provider = target.provider
        if case .new = target {
            batch.add(ProviderInsert(tenant: tenant, provider: provider, note: note()))
            for (position, issuer) in provider.issuers.enumerated() {
                batch.add(
                    IssuerInsert(tenant: tenant, provider: provider.id, issuer: issuer, position: Int32(position))
                )
            }
        }
        for clientID in clientIDs {
            batch.add(ClientInsert(tenant: tenant, provider: provider, clientID: clientID, note: note()))
        }
        batch.add(Notify.tenant(tenant))
        _ = try await database.run(batch)
    }

    private func note() -> OperatorNote { OperatorNote(by: operatorName, audit: nextAudit(), at: now) }
}

private struct ProviderInsert: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        with change as (
            insert into provider (
                tenant_id, provider_id, jwks_url, algorithms, nonce_policy, iat_age_max_s, allowed_private_endpoint, is_development,
                authorize_url, token_url, revoke_url, migration_url, created_at
            ) values ($1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $3)
            returning provider_id, jwks_url
        ), \(OperatorNote.insert("provider.create", target: "provider_id::text", detail: "jwks_url"))
        select provider_id from change
        """
    )

    let tenant: TenantID
    let provider: ProviderRecord
    let note: OperatorNote

    func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(provider.id)
        values.append(provider.jwksURL)
        values.append(provider.algorithms.joined(separator: "\n"))
        values.append(provider.noncePolicy.rawValue)
        values.append(int32: Int32(clamping: provider.iatAgeMax.components.seconds))
        values.append(provider.allowedPrivateEndpoint)
        values.append(provider.isDevelopment)
        values.append(provider.rest.authorizeURL)
        values.append(provider.rest.tokenURL)
        values.append(provider.rest.revokeURL)
        values.append(provider.rest.migrationURL)
    }
}

struct IssuerInsert: Statement {
    typealias Row = Void

    static let sql = SQL(
        "insert into provider_issuer (tenant_id, provider_id, issuer, position) values ($1, $2, $3, $4)"
    )

    let tenant: TenantID
    let provider: ProviderID
    let issuer: String
    let position: Int32

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(provider)
        values.append(issuer)
        values.append(int32: position)
    }
}

private struct ClientInsert: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        with change as (
            insert into provider_client (tenant_id, provider_id, client_id, authority, is_development, created_at)
            values ($1, $5, $6, $7, $8, $3)
            returning client_id, authority
        ), \(OperatorNote.insert("client.add", target: "client_id", detail: "authority"))
        select client_id from change
        """
    )

    let tenant: TenantID
    let provider: ProviderRecord
    let clientID: String
    let note: OperatorNote

    func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(provider.id)
        values.append(clientID)
        values.append(provider.issuers.first ?? "")
        values.append(provider.isDevelopment)
    }
}
