package import ChilCore
package import ChilDatabase

/// What is known of an image before it is stored.
package struct ImageFacts: Sendable {
    /// So many bytes lie in the image's row, more in chunks of this size, because libpq copies values and keeps its buffers.
    package static let chunkBytesMax = 262_144

    /// SHA-256, 32 bytes.
    package let hash: [UInt8]
    package let byteCount: Int64
    package let mediaType: String
    package let width: Int32
    package let height: Int32

    package init(hash: [UInt8], byteCount: Int64, mediaType: String, width: Int32, height: Int32) {
        self.hash = hash
        self.byteCount = byteCount
        self.mediaType = mediaType
        self.width = width
        self.height = height
    }

    /// Whether the bytes lie in the image's row: created in one batch, without staging.
    package var isInOneRow: Bool { byteCount <= Int64(Self.chunkBytesMax) }

    package var chunkCount: Int32 { Int32(Self.chunkCount(of: byteCount)) }

    package static func chunkCount(of byteCount: Int64) -> Int {
        Int((byteCount + Int64(chunkBytesMax) - 1) / Int64(chunkBytesMax))
    }
}

/// What serving a drawing's image needs, checked at each request even if the bytes are at hand.
package struct DrawingImage: Sendable {
    package let owner: UserID
    package let hash: [UInt8]
    package let mediaType: String
    package let byteCount: Int64

    package init(owner: UserID, hash: [UInt8], mediaType: String, byteCount: Int64) {
        self.owner = owner
        self.hash = hash
        self.mediaType = mediaType
        self.byteCount = byteCount
    }
}

/// The image of a drawing. No row: no such drawing here, or it has no image yet.
///
/// A signed URL names no owner, so this one asks by tenant and drawing alone; with a bearer compare `owner` with the caller.
package struct DrawingImageOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select owner_id, image_hash, media_type, byte_count
          from drawing where tenant_id = $1 and drawing_id = $2 and image_hash is not null
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

/// All bytes of an image that lie in its row (`ImageFacts.isInOneRow`), in place: `row.unsafeBytes(0)`.
package struct ImageBytes: TenantStatement {
    package static let access = Batch.Access.bulkRead
    package static let sql = SQL(
        "select bytes from image where tenant_id = $1 and owner_id = $2 and hash = $3 and bytes is not null"
    )

    package let tenant: TenantID
    let owner: UserID
    let hash: [UInt8]

    package init(of hash: [UInt8], owner: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.owner = owner
        self.hash = hash
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(hash)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ResultRow { row }
}

/// Some chunks of an image that is larger than a row, in order. A row is the chunk's bytes in place: `row.unsafeBytes(0)`.
package struct ImageChunks: TenantStatement {
    package static let access = Batch.Access.bulkRead
    package static let sql = SQL(
        """
        select bytes from image_chunk
         where tenant_id = $1 and owner_id = $2 and hash = $3 and position >= $4 and position < $5
         order by position
        """
    )

    package let tenant: TenantID
    let owner: UserID
    let hash: [UInt8]
    let positions: Range<Int32>

    package init(_ positions: Range<Int32>, of hash: [UInt8], owner: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.owner = owner
        self.hash = hash
        self.positions = positions
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(hash)
        values.append(int32: positions.lowerBound)
        values.append(int32: positions.upperBound)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ResultRow { row }
}
