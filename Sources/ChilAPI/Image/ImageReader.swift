import ChilCore
import ChilDatabase
import ChilHTTP
import ChilStore

/// Images' bytes in chunks: from memory, else from PostgreSQL. Not `Sendable`.
struct ImageReader {
    private let database: DatabaseClient
    let cache: ImageCache

    init(_ database: DatabaseClient, _ cache: ImageCache) {
        self.database = database
        self.cache = cache
    }

    /// The body of an answer: joined from memory if it is small, else read as the client takes it.
    ///
    /// - Throws: `Problem.notFound` when the image was deleted meanwhile, `DatabaseError`.
    func body(of image: DrawingImage, _ range: ByteRange, _ tenant: TenantID) async throws -> Response.Body {
        if image.byteCount <= Self.bytesAtOnceMax {
            return .pieces(range.cut(try await pieces(of: image, tenant)))
        }
        var bytes = 0..<Int(image.byteCount)
        if case .part(let part) = range { bytes = part }
        let source = ImageSource(image, bytes, self, tenant)
        try await source.prepare()
        return .source(source)
    }

    /// All of it.
    ///
    /// - Throws: `Problem.notFound` when the image was deleted meanwhile.
    func pieces(of image: DrawingImage, _ tenant: TenantID) async throws -> [[UInt8]] {
        let key = key(of: image, tenant)
        if let known = cache.pieces(key) { return known }
        let chunkBytes = ChilStore.ImageFacts.chunkBytesMax
        let chunkCount = (Int(image.byteCount) + chunkBytes - 1) / chunkBytes
        var pieces: [[UInt8]] = []
        while pieces.count < chunkCount {
            pieces += try await chunks(from: pieces.count, to: chunkCount, of: image, tenant)
        }
        cache.insert(pieces, key)
        return pieces
    }

    /// Some chunks from `position` on, at least one, none from `end` on.
    func chunks(from position: Int, to end: Int, of image: DrawingImage, _ tenant: TenantID) async throws -> [[UInt8]] {
        if image.byteCount <= Int64(ChilStore.ImageFacts.chunkBytesMax) {
            let whole = ImageBytes(of: image.hash, owner: image.owner, in: tenant)
            guard let row = try await whole.first(from: database) else { throw Problem.notFound }
            return [row.bytes(0)]
        }
        let positions = Int32(position)..<Int32(min(position + Self.chunksPerBatch, end))
        let chunks = ImageChunks(positions, of: image.hash, owner: image.owner, in: tenant)
        let rows = try await chunks.rows(from: database)
        guard rows.count == positions.count, !rows.isEmpty else { throw Problem.notFound }
        return rows.map { $0.bytes(0) }
    }

    func key(of image: DrawingImage, _ tenant: TenantID) -> ImageCache.Key {
        ImageCache.Key(tenant: tenant.rawValue, hash: image.hash)
    }

    private static let chunksPerBatch = 4
    private static let bytesAtOnceMax = Int64(chunksPerBatch * ChilStore.ImageFacts.chunkBytesMax)
}
