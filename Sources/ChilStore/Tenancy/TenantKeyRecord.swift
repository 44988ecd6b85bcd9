package import ChilCore
package import ChilDatabase

/// A tenant's own ES256 key: published from `next` on, signing access tokens while active, verifying them for a while when retired.
package struct TenantKeyRecord: Sendable {
    package enum State: String, Sendable { case next, active, retired, revoked }

    package let keyID: String
    package let state: State
    /// Coordinates of the public point, 32 bytes each, big endian.
    package let publicX: [UInt8]
    package let publicY: [UInt8]
    /// Empty once the key is revoked.
    package let sealedPrivate: [UInt8]
    /// Since when it is published.
    package let createdAt: Timestamp
    package let activatedAt: Timestamp?
    /// When it ceased to sign, retired or revoked.
    package let retiredAt: Timestamp?

    package init(
        keyID: String,
        state: State,
        publicX: [UInt8],
        publicY: [UInt8],
        sealedPrivate: [UInt8],
        createdAt: Timestamp,
        activatedAt: Timestamp? = nil,
        retiredAt: Timestamp? = nil
    ) {
        self.keyID = keyID
        self.state = state
        self.publicX = publicX
        self.publicY = publicY
        self.sealedPrivate = sealedPrivate
        self.createdAt = createdAt
        self.activatedAt = activatedAt
        self.retiredAt = retiredAt
    }

    static let columns =
        "key_id, state, public_x, public_y, sealed_private, created_at, activated_at, retired_at"

    init(_ row: ResultRow) throws(DatabaseError) {
        keyID = row.text(0)
        state = try row.word(1)
        publicX = row.bytes(2)
        publicY = row.bytes(3)
        sealedPrivate = row.bytes(4)
        createdAt = try row.timestamp(5)
        activatedAt = try row.timestampOrNil(6)
        retiredAt = try row.timestampOrNil(7)
    }
}

/// The keys that a tenant's tokens are signed by and held against: all but the revoked.
package struct TenantKeyList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(TenantKeyRecord.columns) from tenant_key
         where tenant_id = $1 and state <> 'revoked' order by created_at, key_id
        """
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> TenantKeyRecord { try TenantKeyRecord(row) }
}

/// Every key that a tenant ever had, newest first: for operators.
package struct TenantKeyHistory: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(TenantKeyRecord.columns) from tenant_key
         where tenant_id = $1 order by created_at desc, key_id limit $2
        """
    )

    package let tenant: TenantID
    let countMax: Int

    package init(of tenant: TenantID, countMax: Int) {
        self.tenant = tenant
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> TenantKeyRecord { try TenantKeyRecord(row) }
}

extension TenantKeyRecord {
    /// The column's name as the sealing binds it.
    package static let sealedColumn = "tenant_key.sealed_private"
}
