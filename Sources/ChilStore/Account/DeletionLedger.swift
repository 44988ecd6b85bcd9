package import ChilCore
package import ChilDatabase

/// An account that was deleted, by numbers and a digest alone: enough to delete it again in a database that has forgotten it.
package struct DeletionEntry: Sendable, Equatable {
    package let user: UserID
    package let deletion: AccountDeletionID
    package let deletedAt: Timestamp
    /// SHA-256 of the receipt, so that it is good in a restored database too.
    package let receiptDigest: [UInt8]

    package init(user: UserID, deletion: AccountDeletionID, deletedAt: Timestamp, receiptDigest: [UInt8]) {
        self.user = user
        self.deletion = deletion
        self.deletedAt = deletedAt
        self.receiptDigest = receiptDigest
    }
}

/// The deletions of a tenant whose receipts are kept, in the order of their numbers, some at a time.
package struct DeletionLedgerPage: TenantStatement {
    package static let countMax = 1_000

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select user_id, deletion_id, deleted_at, receipt
          from account_deletion
         where tenant_id = $1 and deletion_id > $2 and user_id is not null
         order by deletion_id limit \(countMax)
        """
    )

    package let tenant: TenantID
    let after: AccountDeletionID

    /// - Parameter after: the last one of the page before; 0 in the first.
    package init(of tenant: TenantID, after: AccountDeletionID) {
        self.tenant = tenant
        self.after = after
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(after)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> DeletionEntry {
        DeletionEntry(
            user: try row.id(0),
            deletion: try row.id(1),
            deletedAt: try row.timestamp(2),
            receiptDigest: row.bytes(3)
        )
    }
}
