package import ChilCore
package import ChilDatabase

/// A small picture of an image.
package struct Thumbnail: Equatable, Sendable {
    /// One piece: what is larger is not kept.
    package static let bytesMax = ImageFacts.chunkBytesMax

    package let mediaType: String
    package let bytes: [UInt8]

    package init(mediaType: String, bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
    }
}

/// The small picture of an image, if one was made.
package struct ThumbnailOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select media_type, bytes from image_thumbnail where tenant_id = $1 and owner_id = $2 and hash = $3::bytea"
    )

    package let tenant: TenantID
    let image: DrawingImage

    package init(of image: DrawingImage, in tenant: TenantID) {
        self.tenant = tenant
        self.image = image
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(image.owner)
        values.append(image.hash)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Thumbnail {
        Thumbnail(mediaType: row.text(0), bytes: row.bytes(1))
    }
}

/// Keeps one, unless there is one already or its image is gone.
package struct ThumbnailPut: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        insert into image_thumbnail (tenant_id, owner_id, hash, media_type, bytes)
        select $1, $2, $3::bytea, $4, $5::bytea
          from (
                select from image
                 where tenant_id = $1 and owner_id = $2 and hash = $3 and staged_until is null
                   for key share
               ) as shown
            on conflict do nothing
        """
    )

    package let tenant: TenantID
    let image: DrawingImage
    let thumbnail: Thumbnail

    package init(_ thumbnail: Thumbnail, of image: DrawingImage, in tenant: TenantID) {
        self.tenant = tenant
        self.image = image
        self.thumbnail = thumbnail
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(image.owner)
        values.append(image.hash)
        values.append(thumbnail.mediaType)
        values.append(thumbnail.bytes)
    }
}
