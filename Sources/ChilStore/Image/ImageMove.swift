import ChilCore
import ChilDatabase

/// Published images that lie where they shall not, in the order of their keys.
struct ImageMovePage: TenantStatement {
    struct Image: Sendable {
        let owner: UserID
        let hash: [UInt8]
        let byteCount: Int64
        let mediaType: String
        /// `nil`: its bytes are in PostgreSQL.
        let object: ImageObjectID?
    }

    static let countMax = 100
    static let access = Batch.Access.read
    static let sql = SQL(
        """
        select owner_id, hash, byte_count, media_type, object_id
          from image
         where tenant_id = $1 and (owner_id, hash) > ($2, $3::bytea) and staged_until is null and (object_id is null) = $4
         order by owner_id, hash limit \(countMax)
        """
    )

    let tenant: TenantID
    let after: (owner: UserID, hash: [UInt8])
    /// Those in PostgreSQL, or those in the object store.
    let areInRows: Bool

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(after.owner)
        values.append(after.hash)
        values.append(areInRows)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Image {
        Image(
            owner: try row.id(0),
            hash: row.bytes(1),
            byteCount: try row.int64(2),
            mediaType: row.text(3),
            object: try row.int64OrNil(4).map(ImageObjectID.init(rawValue:))
        )
    }
}

struct ImageMoveBegin: TenantStatement {
    typealias Row = Void

    static let access = Batch.Access.write
    static let sql = SQL("select chil_begin_image_move($1, $2)")

    let tenant: TenantID
    let object: ImageObjectID

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(object)
    }
}

struct ImageMoveOut: TenantStatement {
    static let access = Batch.Access.write
    static let sql = SQL("select chil_move_image_out($1, $2, $3, $4)")

    let tenant: TenantID
    let image: ImageMovePage.Image
    let object: ImageObjectID

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(image.owner)
        values.append(image.hash)
        values.append(object)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}

/// One chunk of an image that still lies in that object. The same chunk again changes nothing.
struct ImageChunkMove: TenantStatement {
    typealias Row = Void

    static let access = Batch.Access.bulkWrite
    static let sql = SQL(
        """
        insert into image_chunk (tenant_id, owner_id, hash, position, bytes)
        select $1, $2, $3::bytea, $4, $5::bytea
         where exists (select from image where tenant_id = $1 and owner_id = $2 and hash = $3 and object_id = $6)
            on conflict do nothing
        """
    )

    let tenant: TenantID
    let image: ImageMovePage.Image
    let object: ImageObjectID
    let position: Int32
    let bytes: [UInt8]

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(image.owner)
        values.append(image.hash)
        values.append(int32: position)
        values.append(bytes)
        values.append(object)
    }
}

struct ImageMoveIn: TenantStatement {
    static let access = Batch.Access.write
    static let sql = SQL("select chil_move_image_in($1, $2, $3, $4, $5, $6)")

    let tenant: TenantID
    let image: ImageMovePage.Image
    let object: ImageObjectID
    /// `nil`: they are in chunks.
    let bytes: [UInt8]?
    let chunkCount: Int32

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(image.owner)
        values.append(image.hash)
        values.append(object)
        values.append(bytes)
        values.append(int32: chunkCount)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
