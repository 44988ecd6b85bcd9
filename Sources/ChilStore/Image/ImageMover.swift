package import ChilCore
import ChilCrypto
package import ChilDatabase

/// Moves images between PostgreSQL and the object store while the services run: one at a time, each wholly in one place or the other, its
/// digest compared on the way. Ended early it goes on where it stopped. Not `Sendable`.
package struct ImageMover {
    package enum Target: String, Sendable, CaseIterable {
        case s3
        case postgres
    }

    package struct Moved: Sendable, Equatable {
        package var images: Int64 = 0
        package var bytes: Int64 = 0
        /// Deleted, or moved by somebody else, meanwhile.
        package var gone: Int64 = 0
        /// Whose bytes are not those that were given: left where they are.
        package var damaged: Int64 = 0

        package init() {}
    }

    private let database: any Database
    private let objects: any ImageObjects

    /// - Parameter database: as the operator's role.
    package init(_ database: any Database, _ objects: any ImageObjects) {
        self.database = database
        self.objects = objects
    }

    /// All of a tenant's.
    ///
    /// - Parameters:
    ///   - object: makes a fresh number, used once.
    ///   - told: is told after each page.
    /// - Throws: `ImageObjectFault`, `DatabaseError`, what `object` throws.
    package func move(
        to target: Target,
        of tenant: TenantID,
        object: () throws -> ImageObjectID,
        _ told: (Moved) -> Void
    ) async throws -> Moved {
        var moved = Moved()
        var after = (owner: UserID(rawValue: 0), hash: [UInt8]())
        while true {
            let page = ImageMovePage(tenant: tenant, after: after, areInRows: target == .s3)
            let images = try await page.rows(from: database)
            guard let last = images.last else { return moved }
            for image in images {
                let bytes = try await bytes(of: image, tenant)
                guard let bytes else {
                    moved.gone += 1
                    continue
                }
                guard SHA256.digest(of: bytes).bytes == image.hash else {
                    moved.damaged += 1
                    continue
                }
                let isMoved =
                    switch image.object {
                    case nil: try await moveOut(image, bytes, tenant, as: try object())
                    case let object?: try await moveIn(image, bytes, tenant, from: object)
                    }
                guard isMoved else {
                    moved.gone += 1
                    continue
                }
                moved.images += 1
                moved.bytes += image.byteCount
            }
            told(moved)
            after = (last.owner, last.hash)
        }
    }

    private func bytes(of image: ImageMovePage.Image, _ tenant: TenantID) async throws -> [UInt8]? {
        let store = ImageStore(database, objects)
        let chunkCount = ImageFacts.chunkCount(of: image.byteCount)
        var bytes: [UInt8] = []
        var position = 0
        while position < chunkCount {
            let chunks = try await store.chunks(
                from: position,
                to: chunkCount,
                of: image.hash,
                byteCount: image.byteCount,
                owner: image.owner,
                in: tenant
            )
            guard let chunks else { return nil }
            for chunk in chunks { bytes += chunk }
            position += chunks.count
        }
        return bytes
    }

    /// If it stops in between, the object is removed in an hour.
    private func moveOut(_ image: ImageMovePage.Image, _ bytes: [UInt8], _ tenant: TenantID, as object: ImageObjectID)
        async throws -> Bool
    {
        try await ImageMoveBegin(tenant: tenant, object: object).touched(on: database)
        try await objects.put(bytes, as: object, of: tenant, hash: image.hash, mediaType: image.mediaType)
        return try await ImageMoveOut(tenant: tenant, image: image, object: object).answer(from: database)
    }

    /// If it stops in between, chunks stay beside the object until it is moved again, or deleted.
    private func moveIn(_ image: ImageMovePage.Image, _ bytes: [UInt8], _ tenant: TenantID, from object: ImageObjectID)
        async throws -> Bool
    {
        let isInOneRow = bytes.count <= ImageFacts.chunkBytesMax
        var position: Int32 = 0
        if !isInOneRow {
            for start in stride(from: 0, to: bytes.count, by: ImageFacts.chunkBytesMax) {
                let chunk = Array(bytes[start..<min(start + ImageFacts.chunkBytesMax, bytes.count)])
                let put = ImageChunkMove(tenant: tenant, image: image, object: object, position: position, bytes: chunk)
                try await put.touched(on: database)
                position += 1
            }
        }
        let end = ImageMoveIn(
            tenant: tenant,
            image: image,
            object: object,
            bytes: isInOneRow ? bytes : nil,
            chunkCount: position
        )
        return try await end.answer(from: database)
    }
}
