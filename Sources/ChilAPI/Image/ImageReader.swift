import ChilCore
import ChilDatabase
import ChilStore

/// Images' bytes in chunks: from memory, else from PostgreSQL. Not `Sendable`.
struct ImageReader {
    private let database: DatabaseClient
    private let cache: ImageCache

    init(_ database: DatabaseClient, _ cache: ImageCache) {
        self.database = database
        self.cache = cache
    }

    /// - Throws: `Problem.notFound` when the image was deleted meanwhile.
    func pieces(of image: DrawingImage, _ tenant: TenantID) async throws -> [[UInt8]] {
        let key = ImageCache.Key(tenant: tenant.rawValue, hash: image.hash)
        if let known = cache.pieces(key) { return known }
        let chunkBytes = Int64(ChilStore.ImageFacts.chunkBytesMax)
        let chunkCount = Int32((image.byteCount + chunkBytes - 1) / chunkBytes)
        var pieces: [[UInt8]] = []
        var position: Int32 = 0
        while position < chunkCount {
            let end = min(position + Self.chunksPerBatch, chunkCount)
            let chunks = ImageChunks(position..<end, of: image.hash, owner: image.owner, in: tenant)
            let rows = try await chunks.rows(from: database)
            guard rows.count == Int(end - position) else { throw Problem.notFound }
            pieces += rows.map { $0.bytes(0) }
            position = end
        }
        cache.insert(pieces, key)
        return pieces
    }

    private static let chunksPerBatch: Int32 = 4
}
