package import ChilCore
package import ChilDatabase

/// Deletes a drawing of its owner, its image if no other drawing shows it, and gives the quota back. False: there is none.
package struct DrawingDelete: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_delete_drawing($1, $2, $3, $4, $5, $6, $7)")

    package let tenant: TenantID
    let owner: UserID
    let drawing: DrawingID
    let note: UserNote
    let isLimited: Bool
    let isTold: Bool

    /// - Parameters:
    ///   - isLimited: as in `DrawingCreate`.
    ///   - isTold: whether the tenant's servers want to know (`TenantEntry.webhookTypes`).
    package init(
        _ drawing: DrawingID,
        of owner: UserID,
        in tenant: TenantID,
        note: UserNote,
        isLimited: Bool,
        isTold: Bool = false
    ) {
        self.tenant = tenant
        self.owner = owner
        self.drawing = drawing
        self.note = note
        self.isLimited = isLimited
        self.isTold = isTold
    }

    package var contention: Batch.ContentionKey? { QuotaMetric.drawings.contention(of: tenant, isLimited: isLimited) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(drawing)
        values.append(note.audit)
        values.append(note.requestID)
        values.append(isTold)
        values.append(note.now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
