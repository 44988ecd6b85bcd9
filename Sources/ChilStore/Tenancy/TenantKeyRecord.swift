package import ChilCore
package import ChilDatabase

/// A tenant's own ES256 key: it signs access tokens while active, and is published while next, active or retired.
package struct TenantKeyRecord: Sendable {
    package enum State: String, Sendable { case next, active, retired }

    package let keyID: String
    package let state: State
    /// Coordinates of the public point, 32 bytes each, big endian.
    package let publicX: [UInt8]
    package let publicY: [UInt8]
    package let sealedPrivate: [UInt8]

    package init(keyID: String, state: State, publicX: [UInt8], publicY: [UInt8], sealedPrivate: [UInt8]) {
        self.keyID = keyID
        self.state = state
        self.publicX = publicX
        self.publicY = publicY
        self.sealedPrivate = sealedPrivate
    }
}

package struct TenantKeyList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select key_id, state, public_x, public_y, sealed_private from tenant_key where tenant_id = $1 order by created_at, key_id"
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> TenantKeyRecord {
        TenantKeyRecord(
            keyID: row.text(0),
            state: try row.word(1),
            publicX: row.bytes(2),
            publicY: row.bytes(3),
            sealedPrivate: row.bytes(4)
        )
    }
}

extension TenantKeyRecord {
    /// The column's name as the sealing binds it.
    package static let sealedColumn = "tenant_key.sealed_private"
}
