package import ChilCore
package import ChilDatabase

/// What a drawing's image was made of, where that is kept. No row: no such drawing here, or it has no original.
package struct DrawingOriginalOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select d.owner_id, i.hash, i.media_type, i.byte_count
          from drawing d
          join image i on i.tenant_id = $1 and i.owner_id = d.owner_id and i.hash = d.original_hash
         where d.tenant_id = $1 and d.drawing_id = $2 and d.original_hash is not null
        """
    )

    package let tenant: TenantID
    let drawing: DrawingID

    package init(of drawing: DrawingID, in tenant: TenantID) {
        self.tenant = tenant
        self.drawing = drawing
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(drawing)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> DrawingImage {
        DrawingImage(owner: try row.id(0), hash: row.bytes(1), mediaType: row.text(2), byteCount: try row.int64(3))
    }
}
