import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// What only whoever has the database and the key file can know: to make tokens that are nearly right.
extension TestBed {
    func tenantID(_ tenant: Tenant) async throws -> TenantID {
        try await withOperator { try await Self.record(of: tenant, $0).id }
    }

    /// Makes access tokens with the tenant's own key.
    func accessTokenIssuer(_ tenant: Tenant) async throws -> AccessTokenIssuer {
        let ring = try KeyRing(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: keyFile))))
        let (id, key) = try await withOperator { database in
            let id = try await Self.record(of: tenant, database).id
            return (id, try #require(try await TenantKeyList(of: id).rows(from: database).first))
        }
        let opened = try Sealer(ring).open(key.sealedPrivate, tenant: id, column: TenantKeyRecord.sealedColumn)
        return AccessTokenIssuer(
            issuer: "\(Service.publicURL)/\(tenant.slug)",
            audience: try #require(Slug(tenant.slug)),
            keyID: key.keyID,
            key: try ES256PrivateKey(pkcs8: try #require(opened))
        )
    }

    private static func record(of tenant: Tenant, _ database: SharedDatabase) async throws -> TenantRecord {
        try #require(try await database.run(TenantBySlug(slug: tenant.slug), .read, of: nil).first)
    }

    /// Asks the database as the operator's role.
    func withOperator<Value>(_ body: (SharedDatabase) async throws -> Value) async throws -> Value {
        try await withDatabase(database.url("chil_operator"), body)
    }
}
