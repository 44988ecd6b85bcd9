package import ChilCore
package import ChilDatabase

/// Makes room for an image of several chunks, under a lease. Bytes that are published already, or staged by another request, stay.
/// Nothing is staged for an owner who is gone: an account that ends waits for this or is seen to have ended.
package struct ImageStage: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.bulkWrite
    package static let sql = SQL(
        """
        insert into image as i
               (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, staged_until)
        select $1, $2, $3::bytea, $4, $5, $6, $7, $8, $9
          from (select from app_user where tenant_id = $1 and user_id = $2 for key share) as owner
            on conflict (tenant_id, owner_id, hash) do update set staged_until = greatest(i.staged_until, excluded.staged_until)
            where i.staged_until is not null
        """
    )

    package let tenant: TenantID
    let owner: UserID
    let image: ImageFacts
    let until: Timestamp

    /// - Parameter until: when the sweeper may take it, unless a drawing has been made of it.
    package init(_ image: ImageFacts, of owner: UserID, in tenant: TenantID, until: Timestamp) {
        self.tenant = tenant
        self.owner = owner
        self.image = image
        self.until = until
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(image.hash)
        values.append(image.byteCount)
        values.append(image.mediaType)
        values.append(int32: image.width)
        values.append(int32: image.height)
        values.append(int32: image.chunkCount)
        values.append(until)
    }
}

/// One chunk of a staged image. The same chunk again changes nothing; without a staged image nothing is stored.
package struct ImageChunkPut: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.bulkWrite
    package static let sql = SQL(
        """
        insert into image_chunk (tenant_id, owner_id, hash, position, bytes)
        select $1, $2, $3::bytea, $4, $5::bytea
         where exists (select from image where tenant_id = $1 and owner_id = $2 and hash = $3 and staged_until is not null)
            on conflict do nothing
        """
    )

    package let tenant: TenantID
    let owner: UserID
    let hash: [UInt8]
    let position: Int32
    let bytes: [UInt8]

    /// - Parameter bytes: `ImageFacts.chunkBytesMax` of them, or what is left for the last one.
    package init(_ bytes: [UInt8], at position: Int32, of hash: [UInt8], owner: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.owner = owner
        self.hash = hash
        self.position = position
        self.bytes = bytes
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(hash)
        values.append(int32: position)
        values.append(bytes)
    }
}
