package import ChilCore
package import ChilDatabase

/// How a drawing came to be: the contract's `type`.
package enum DrawingType: String, Sendable, CaseIterable {
    case generated = "GENERATED"
    case scanned = "SCANNED"
    case uploaded = "UPLOADED"
    case animated = "ANIMATED"
}

/// A drawing's row, read in place and once: numbers as values, texts as the bytes that PostgreSQL sent.
///
/// Byte pointers are valid while `row` (its result) lives: keep the view or the result until they are written.
///
/// `@unchecked Sendable`: what the pointers lead to never changes, and `row` keeps it.
package struct DrawingView: @unchecked Sendable {
    package let row: ResultRow
    package let id: DrawingID
    package let byteCount: Int64
    package let createdAt: Timestamp
    package let updatedAt: Timestamp
    /// Pixels; 0 while there is no image.
    package let width: Int32
    package let height: Int32
    /// `GENERATED`, `SCANNED`, `UPLOADED` or `ANIMATED`: plain ASCII without anything to escape, as the next two are.
    package let typeBytes: UnsafeRawBufferPointer
    /// `PENDING`, `READY` or `FAILED`.
    package let statusBytes: UnsafeRawBufferPointer
    package let mediaTypeBytes: UnsafeRawBufferPointer
    /// SHA-256 of the image, 32 bytes; `nil` while there is none.
    package let imageHashBytes: UnsafeRawBufferPointer?
    /// UTF-8, not escaped.
    package let titleBytes: UnsafeRawBufferPointer?
    /// The drawing that an animated one was made of, or that was printed on the page of a scanned one; it may be gone.
    package let source: DrawingID?
    /// UTF-8, not escaped.
    package let promptBytes: UnsafeRawBufferPointer?
    /// SHA-256 of what the image was made of, where that is kept.
    package let originalHashBytes: UnsafeRawBufferPointer?

    static let idColumn = 0
    static let columns = """
        drawing_id, byte_count, created_at, updated_at, width, height, kind, status, media_type, image_hash, title, prompt,
        original_hash, source_id
        """

    init(_ row: ResultRow) throws(DatabaseError) {
        id = try row.id(Self.idColumn)
        byteCount = try row.int64(1)
        createdAt = try row.timestamp(2)
        updatedAt = try row.timestamp(3)
        width = try row.int32(4)
        height = try row.int32(5)
        typeBytes = row.unsafeBytes(6)
        statusBytes = row.unsafeBytes(7)
        mediaTypeBytes = row.unsafeBytes(8)
        imageHashBytes = row.unsafeBytesOrNil(9)
        titleBytes = row.unsafeBytesOrNil(10)
        promptBytes = row.unsafeBytesOrNil(11)
        originalHashBytes = row.unsafeBytesOrNil(12)
        source = try row.int64OrNil(13).map { DrawingID(rawValue: $0) }
        self.row = row
    }
}

/// One drawing of its owner. No row: there is none, or it is another's; the two look the same.
package struct DrawingOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select \(DrawingView.columns) from drawing where tenant_id = $1 and owner_id = $2 and drawing_id = $3"
    )
    package static let gathered: SQL? = SQL(gathering: sql, parameters: 3)

    package let tenant: TenantID
    let owner: UserID
    let drawing: DrawingID

    package init(_ drawing: DrawingID, of owner: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.owner = owner
        self.drawing = drawing
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(drawing)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> DrawingView { try DrawingView(row) }
}
