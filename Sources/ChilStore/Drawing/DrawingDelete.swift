package import ChilCore
package import ChilDatabase

/// Deletes a drawing of its owner, its image if no other drawing shows it, and gives the quota back. False: there is none.
package struct DrawingDelete: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select chil_delete_drawing($1, $2, $3)")

    package let tenant: TenantID
    let owner: UserID
    let drawing: DrawingID
    let isLimited: Bool

    /// - Parameter isLimited: as in `DrawingCreate`.
    package init(_ drawing: DrawingID, of owner: UserID, in tenant: TenantID, isLimited: Bool) {
        self.tenant = tenant
        self.owner = owner
        self.drawing = drawing
        self.isLimited = isLimited
    }

    package var contention: Batch.ContentionKey? { QuotaMetric.drawings.contention(of: tenant, isLimited: isLimited) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(drawing)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
