package import ChilCore
package import ChilDatabase

/// Changes a drawing's title, if the row is still as the caller saw it, and tells its owner's apps (`chil_rename_drawing` in `sql/`). No
/// row: it is another now, or gone.
package struct DrawingRename: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        entering: "select \(DrawingView.columns) from chil_rename_drawing($1, $2, $3, $4, $5, $6)"
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
        values.append(seen)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> DrawingView { try DrawingView(row) }
}
