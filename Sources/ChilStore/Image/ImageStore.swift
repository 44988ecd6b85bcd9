package import ChilCore
package import ChilDatabase

/// The bytes of images, wherever they lie: addressed by content within one owner, in rows of PostgreSQL or in an object store. Where one is
/// set, new ones go there; each image's row says where it is, so both may be there at once, and bytes may be moved while they are read.
///
/// Not `Sendable`: of one loop.
package struct ImageStore {
    private let database: any Database
    private let objects: (any ImageObjects)?

    /// - Parameter objects: `nil`: all is in PostgreSQL.
    package init(_ database: any Database, _ objects: (any ImageObjects)? = nil) {
        self.database = database
        self.objects = objects
    }

    /// Whether a create brings these bytes itself, without staging.
    package func createBrings(_ image: ImageFacts) -> Bool { objects == nil && image.isInOneRow }

    /// Writes the bytes to where a create publishes them from.
    ///
    /// - Parameters:
    ///   - object: a fresh number, used once.
    ///   - until: the lease's end. What nobody has published by then is swept.
    package func stage(
        _ bytes: [UInt8],
        _ image: ImageFacts,
        as object: ImageObjectID,
        of owner: UserID,
        in tenant: TenantID,
        until: Timestamp
    ) async throws {
        guard let objects else {
            try await ImageStage(image, of: owner, in: tenant, until: until).touched(on: database)
            return try await putChunks(of: bytes, image, owner, tenant)
        }
        let stage = ImageObjectStage(image, as: object, of: owner, in: tenant, until: until)
        // Whether it is published or its owner is gone, the create finds out.
        guard let place = try await stage.first(from: database) else { return }
        guard let object = place.object else { return try await putChunks(of: bytes, image, owner, tenant) }
        guard !place.isStored else { return }
        try await objects.put(bytes, as: object, of: tenant, hash: image.hash, mediaType: image.mediaType)
        try await ImageObjectStored(object, of: image.hash, owner: owner, in: tenant).touched(on: database)
    }

    private func putChunks(of bytes: [UInt8], _ image: ImageFacts, _ owner: UserID, _ tenant: TenantID)
        async throws(DatabaseError)
    {
        var position: Int32 = 0
        var start = 0
        while start < bytes.count {
            let end = min(start + ImageFacts.chunkBytesMax, bytes.count)
            let put = ImageChunkPut(Array(bytes[start..<end]), at: position, of: image.hash, owner: owner, in: tenant)
            try await put.touched(on: database)
            start = end
            position += 1
        }
    }

    /// Some chunks of a published image from `position` on, at least one, none from `end` on; `nil`: it is gone.
    ///
    /// - Throws: `ImageObjectFault`, `DatabaseError`.
    package func chunks(
        from position: Int,
        to end: Int,
        of hash: [UInt8],
        byteCount: Int64,
        owner: UserID,
        in tenant: TenantID
    ) async throws -> [[UInt8]]? {
        // Once more where it was moved between the look and the read.
        for _ in 0..<2 {
            if objects != nil, let object = try await object(of: hash, owner, tenant) {
                if let pieces = try await pieces(position..<end, of: object, byteCount, tenant) { return pieces }
                continue
            }
            if let rows = try await rows(position..<end, of: hash, byteCount, owner, tenant) { return rows }
            guard objects == nil else { continue }
            guard try await object(of: hash, owner, tenant) != nil else { return nil }
            throw ImageObjectFault(.notSet, "images lie in an object store: set CHIL_S3_URL and what belongs to it")
        }
        return nil
    }

    /// Where a client gets a published image without the service, for a minute; `nil`: nowhere.
    package func address(of image: DrawingImage, in tenant: TenantID) async throws(DatabaseError) -> String? {
        guard let objects, let object = try await object(of: image.hash, image.owner, tenant) else { return nil }
        return objects.address(of: object, in: tenant, mediaType: image.mediaType)
    }

    private func object(of hash: [UInt8], _ owner: UserID, _ tenant: TenantID) async throws(DatabaseError)
        -> ImageObjectID?
    {
        try await ImageObjectOne(of: hash, owner: owner, in: tenant).first(from: database)
    }

    private func rows(
        _ positions: Range<Int>,
        of hash: [UInt8],
        _ byteCount: Int64,
        _ owner: UserID,
        _ tenant: TenantID
    ) async throws(DatabaseError) -> [[UInt8]]? {
        if byteCount <= Int64(ImageFacts.chunkBytesMax) {
            let row = try await ImageBytes(of: hash, owner: owner, in: tenant).first(from: database)
            return row.map { [$0.bytes(0)] }
        }
        let some =
            Int32(positions.lowerBound)..<Int32(min(positions.lowerBound + Self.rowsAtOnce, positions.upperBound))
        let rows = try await ImageChunks(some, of: hash, owner: owner, in: tenant).rows(from: database)
        return rows.count == some.count && !rows.isEmpty ? rows.map { $0.bytes(0) } : nil
    }

    /// `nil`: the object is gone.
    private func pieces(_ positions: Range<Int>, of object: ImageObjectID, _ byteCount: Int64, _ tenant: TenantID)
        async throws -> [[UInt8]]?
    {
        guard let objects, !positions.isEmpty else { return nil }
        let chunkBytes = ImageFacts.chunkBytesMax
        let start = positions.lowerBound * chunkBytes
        let last = min(positions.lowerBound + Self.piecesAtOnce, positions.upperBound)
        let end = min(last * chunkBytes, Int(byteCount))
        guard start < end else { return nil }
        do throws(ImageObjectFault) {
            let bytes = try await objects.bytes(start..<end, of: object, in: tenant)
            return stride(from: 0, to: bytes.count, by: chunkBytes).map {
                Array(bytes[$0..<min($0 + chunkBytes, bytes.count)])
            }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
    }

    private static let rowsAtOnce = 4
    /// 2 MiB: each is a request of its own.
    private static let piecesAtOnce = 8
}
