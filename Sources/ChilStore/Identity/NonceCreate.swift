package import ChilCore
package import ChilDatabase

/// Remembers the digest of a nonce that the service made. `SignIn` spends it.
package struct NonceCreate: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL("insert into nonce (tenant_id, digest, expires_at) values ($1, $2, $3)")

    package let tenant: TenantID
    let digest: [UInt8]
    let expires: Timestamp

    /// - Parameter digest: SHA-256 of the nonce, so that the table is of no use to a thief.
    package init(in tenant: TenantID, digest: [UInt8], expires: Timestamp) {
        self.tenant = tenant
        self.digest = digest
        self.expires = expires
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(digest)
        values.append(expires)
    }
}
