import ChilCore
import ChilHTTP
import ChilStore

/// Images' bytes in chunks: from memory, else from where they lie. Not `Sendable`.
struct ImageReader {
    let store: ImageStore
    let cache: ImageCache

    init(_ store: ImageStore, _ cache: ImageCache) {
        self.store = store
        self.cache = cache
    }

    /// The body of an answer: joined from memory if it is small, else read as the client takes it.
    ///
    /// - Throws: `Problem.notFound` when the image was deleted meanwhile, `DatabaseError`, `ImageObjectFault`.
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
        let chunkCount = ChilStore.ImageFacts.chunkCount(of: image.byteCount)
        var pieces: [[UInt8]] = []
        while pieces.count < chunkCount {
            pieces += try await chunks(from: pieces.count, to: chunkCount, of: image, tenant)
        }
        cache.insert(pieces, key)
        return pieces
    }

    /// Some chunks from `position` on, at least one, none from `end` on.
    func chunks(from position: Int, to end: Int, of image: DrawingImage, _ tenant: TenantID) async throws -> [[UInt8]] {
        let chunks = try await store.chunks(
            from: position,
            to: end,
            of: image.hash,
            byteCount: image.byteCount,
            owner: image.owner,
            in: tenant
        )
        guard let chunks else { throw Problem.notFound }
        return chunks
    }

    func key(of image: DrawingImage, _ tenant: TenantID) -> ImageCache.Key {
        ImageCache.Key(tenant: tenant.rawValue, hash: image.hash)
    }

    private static let bytesAtOnceMax = Int64(4 * ChilStore.ImageFacts.chunkBytesMax)
}
