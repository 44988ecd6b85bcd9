package import ChilCore
package import ChilDatabase

/// Makes room for an image whose bytes go to the object store, under a lease (as `ImageStage`). The row is where they go: this object,
/// or that of another request with the same bytes. No row: they are published already, or the owner is gone.
package struct ImageObjectStage: TenantStatement {
    package struct Place: Sendable, Equatable {
        /// `nil`: another request stages the same bytes in PostgreSQL.
        package let object: ImageObjectID?
        package let isStored: Bool
    }

    package static let access = Batch.Access.bulkWrite
    package static let sql = SQL(
        """
        insert into image as i
               (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, staged_until, object_id)
        select $1, $2, $3::bytea, $4, $5, $6, $7, 0, $8, $9
          from (select from app_user where tenant_id = $1 and user_id = $2 for key share) as owner
            on conflict (tenant_id, owner_id, hash) do update set staged_until = greatest(i.staged_until, excluded.staged_until)
            where i.staged_until is not null
        returning object_id, object_stored
        """
    )

    package let tenant: TenantID
    let owner: UserID
    let image: ImageFacts
    let until: Timestamp
    let object: ImageObjectID

    /// - Parameters:
    ///   - object: a fresh number, used once.
    ///   - until: when the sweeper may take it, unless a drawing has been made of it.
    package init(
        _ image: ImageFacts,
        as object: ImageObjectID,
        of owner: UserID,
        in tenant: TenantID,
        until: Timestamp
    ) {
        self.tenant = tenant
        self.owner = owner
        self.image = image
        self.until = until
        self.object = object
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(image.hash)
        values.append(image.byteCount)
        values.append(image.mediaType)
        values.append(int32: image.width)
        values.append(int32: image.height)
        values.append(until)
        values.append(object)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Place {
        Place(object: try row.int64OrNil(0).map(ImageObjectID.init(rawValue:)), isStored: try row.bool(1))
    }
}

/// Says that a staged object is written, whole: a create may publish it now. Nothing, if the lease was over and another has its place.
package struct ImageObjectStored: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.bulkWrite
    package static let sql = SQL(
        """
        update image set object_stored = true
         where tenant_id = $1 and owner_id = $2 and hash = $3 and object_id = $4 and staged_until is not null
        """
    )

    package let tenant: TenantID
    let owner: UserID
    let hash: [UInt8]
    let object: ImageObjectID

    package init(_ object: ImageObjectID, of hash: [UInt8], owner: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.owner = owner
        self.hash = hash
        self.object = object
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(hash)
        values.append(object)
    }
}

/// The object that the bytes of an image lie in, which is published or a page that waits to become a drawing. No row: they lie in
/// PostgreSQL, or there is no such image.
package struct ImageObjectOne: TenantStatement {
    package static let access = Batch.Access.bulkRead
    package static let sql = SQL(
        """
        select i.object_id
          from image i
         where i.tenant_id = $1 and i.owner_id = $2 and i.hash = $3 and i.object_stored
           and (i.staged_until is null
                or exists (select from scan s where s.tenant_id = $1 and s.owner_id = $2 and s.hash = $3 and s.state = 'waiting'))
        """
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

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ImageObjectID { try row.id(0) }
}
