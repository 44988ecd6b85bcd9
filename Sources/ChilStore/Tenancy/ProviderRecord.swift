package import ChilCore
package import ChilDatabase

/// Who may vouch for a tenant's users: `iss` selects the record, `aud` and `kid` are looked up in it alone.
package struct ProviderRecord: Sendable {
    package enum NoncePolicy: String, Sendable { case server, client, optional }

    package let id: ProviderID
    /// The first one is the authority by which production client ids are unique.
    package let issuers: [String]
    package let clients: [ProviderClientRecord]
    package let jwksURL: String
    package let algorithms: [String]
    package let noncePolicy: NoncePolicy
    package let iatAgeMax: Duration
    /// `host:port` at a private address that keys may be fetched from.
    package let allowedPrivateEndpoint: String?
    package let isDevelopment: Bool
    package let rest: ProviderREST

    package init(
        id: ProviderID,
        issuers: [String],
        clients: [ProviderClientRecord] = [],
        jwksURL: String,
        algorithms: [String],
        noncePolicy: NoncePolicy,
        iatAgeMax: Duration,
        allowedPrivateEndpoint: String?,
        isDevelopment: Bool,
        rest: ProviderREST = ProviderREST()
    ) {
        self.id = id
        self.issuers = issuers
        self.clients = clients
        self.jwksURL = jwksURL
        self.algorithms = algorithms
        self.noncePolicy = noncePolicy
        self.iatAgeMax = iatAgeMax
        self.allowedPrivateEndpoint = allowedPrivateEndpoint
        self.isDevelopment = isDevelopment
        self.rest = rest
    }

    package var clientIDs: [String] { clients.map(\.id) }
}

/// The provider records of a tenant with their issuers and client ids.
package struct ProviderList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select p.provider_id, p.jwks_url, p.algorithms, p.nonce_policy, p.iat_age_max_s, p.allowed_private_endpoint, p.is_development,
               (select string_agg(i.issuer, E'\\n' order by i.position)
                  from provider_issuer i where i.tenant_id = $1 and i.provider_id = p.provider_id),
               (select string_agg(concat_ws(E'\\t', c.client_id, c.client_use, coalesce(c.redirect_uri, ''), coalesce(c.return_url, '')),
                                  E'\\n' order by c.client_id)
                  from provider_client c where c.tenant_id = $1 and c.provider_id = p.provider_id),
               p.team_id, p.key_id, p.sealed_key, p.authorize_url, p.token_url, p.revoke_url, p.migration_url, p.credential_fault
          from provider p
         where p.tenant_id = $1
         order by p.provider_id
        """
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ProviderRecord {
        var clients: [ProviderClientRecord] = []
        for line in row.lines(8) { clients.append(try ProviderClientRecord(line: line)) }
        return ProviderRecord(
            id: try row.id(0),
            issuers: row.lines(7),
            clients: clients,
            jwksURL: row.text(1),
            algorithms: row.lines(2),
            noncePolicy: try row.word(3),
            iatAgeMax: .seconds(try row.int32(4)),
            allowedPrivateEndpoint: row.textOrNil(5),
            isDevelopment: try row.bool(6),
            rest: rest(row, from: 9)
        )
    }

    private static func rest(_ row: ResultRow, from column: Int) -> ProviderREST {
        var rest = ProviderREST(
            authorizeURL: row.textOrNil(column + 3),
            tokenURL: row.textOrNil(column + 4),
            revokeURL: row.textOrNil(column + 5),
            migrationURL: row.textOrNil(column + 6)
        )
        rest.credentialFault = row.textOrNil(column + 7)
        if let team = row.textOrNil(column), let key = row.textOrNil(column + 1) {
            rest.credentials = ProviderREST.Credentials(teamID: team, keyID: key, sealedKey: row.bytes(column + 2))
        }
        return rest
    }
}
