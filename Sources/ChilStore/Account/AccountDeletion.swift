package import ChilCore
package import ChilDatabase

/// A deletion as whoever has the receipt may know it.
package struct AccountDeletion: Sendable, Equatable {
    /// What became of the tokens that identity providers had given for the person.
    package enum ProviderToken: String, Sendable, CaseIterable { case none, pending, revoked, failed }

    package let deletedAt: Timestamp
    package let providerToken: ProviderToken
}

/// The deletion with that receipt. No row: there is none in this tenant.
package struct AccountDeletionOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select d.deleted_at,
               (select case when exists (
                                     select from code_exchange e where e.tenant_id = $1 and e.deletion_id = d.deletion_id
                                 ) then 'pending'
                            when count(*) = 0 then 'none'
                            when bool_or(r.state = 'pending') then 'pending'
                            when bool_or(r.state = 'failed') then 'failed'
                            else 'revoked' end
                  from token_revocation r
                 where r.tenant_id = $1 and r.deletion_id = d.deletion_id)
          from account_deletion d
         where d.tenant_id = $1 and d.receipt = $2
        """
    )

    package let tenant: TenantID
    let receiptDigest: [UInt8]

    /// - Parameter receiptDigest: SHA-256 of the receipt.
    package init(receiptDigest: [UInt8], of tenant: TenantID) {
        self.tenant = tenant
        self.receiptDigest = receiptDigest
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(receiptDigest)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> AccountDeletion {
        AccountDeletion(deletedAt: try row.timestamp(0), providerToken: try row.word(1))
    }
}

/// How much there is to delete: bytes of images.
package struct AccountBytes: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select coalesce(sum(byte_count), 0)::bigint from image where tenant_id = $1 and owner_id = $2"
    )

    package let tenant: TenantID
    let user: UserID

    package init(of user: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.user = user
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}
