package import ChilCore
package import ChilDatabase

/// Deletes a drawing of its owner, its image if no other drawing shows it, and gives the quota back. False: there is none.
package struct DrawingDelete: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with gone as materialized (
            select chil_delete_drawing($1, $2, $3) as is_gone
        ), note as (
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, request_id)
            select $1, $4, $5, 'user', $2::text, 'drawing.delete', $3::text, $6 from gone where is_gone
        )
        select is_gone,
               case when is_gone and $7
                    then chil_emit($1, $3, 'drawing.deleted', $3::text, '"drawingId":' || $3 || ',"userId":' || $2, $5) end
          from gone
        """
    )

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
        values.append(note.now)
        values.append(note.requestID)
        values.append(isTold)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
