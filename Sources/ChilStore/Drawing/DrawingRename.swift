package import ChilCore
package import ChilDatabase

/// Changes a drawing's title, if the row is still as the caller saw it. No row: it is another now, or gone.
///
/// `updated_at` only ever grows, so that it tells two states of a row apart whatever the clock does.
package struct DrawingRename: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update drawing
           set title = $4, version = version + 1, updated_at = greatest($5, updated_at + interval '1 microsecond')
         where tenant_id = $1 and owner_id = $2 and drawing_id = $3 and updated_at = $6
        returning \(DrawingView.columns)
        """
    )

    package let tenant: TenantID
    let owner: UserID
    let drawing: DrawingID
    let title: String?
    let seen: Timestamp
    let now: Timestamp

    /// - Parameters:
    ///   - title: `nil` removes it.
    ///   - seen: `updatedAt` of what the caller saw.
    package init(
        _ drawing: DrawingID,
        of owner: UserID,
        in tenant: TenantID,
        to title: String?,
        seen: Timestamp,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.owner = owner
        self.drawing = drawing
        self.title = title
        self.seen = seen
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(drawing)
        values.append(title)
        values.append(now)
        values.append(seen)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> DrawingView { try DrawingView(row) }
}
