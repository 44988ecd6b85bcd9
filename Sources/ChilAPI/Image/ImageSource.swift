import ChilCore
import ChilHTTP
import ChilStore

/// A large image on its way to a client: one batch of chunks in memory, whatever the client's pace.
///
/// `@unchecked Sendable`: made and asked on one loop.
final class ImageSource: BodySource, @unchecked Sendable {
    let byteCount: Int
    private let image: DrawingImage
    private let reader: ImageReader
    private let tenant: TenantID
    /// Bytes of the image that are still to be sent.
    private var left: Range<Int>
    /// Chunks read ahead, from `readAhead` on.
    private var chunks: [[UInt8]] = []
    private var readAhead = 0
    /// All chunks so far, for the cache; `nil` when it shall not have them.
    private var gathered: [[UInt8]]?

    /// - Parameter range: of the image's bytes.
    init(_ image: DrawingImage, _ range: Range<Int>, _ reader: ImageReader, _ tenant: TenantID) {
        self.image = image
        self.reader = reader
        self.tenant = tenant
        left = range
        byteCount = range.count
        let isWhole = range.count == Int(image.byteCount)
        gathered = isWhole && reader.cache.beginGathering(range.count) ? [] : nil
    }

    deinit {
        if gathered != nil { reader.cache.endGathering(byteCount) }
    }

    /// Reads the first chunks, while the answer can still be another one.
    ///
    /// - Throws: `Problem.notFound` when the image was deleted meanwhile, `DatabaseError`.
    func prepare() async throws {
        if !left.isEmpty { _ = try await chunk(left.lowerBound / Self.chunkBytes) }
    }

    func next() async -> [UInt8]? {
        guard !left.isEmpty else { return nil }
        let position = left.lowerBound / Self.chunkBytes
        guard let chunk = try? await chunk(position) else { return nil }
        let start = left.lowerBound - position * Self.chunkBytes
        let end = min(chunk.count, left.upperBound - position * Self.chunkBytes)
        guard start < end else { return nil }
        left = (left.lowerBound + end - start)..<left.upperBound
        gather(chunk)
        return end - start == chunk.count ? chunk : Array(chunk[start..<end])
    }

    private func chunk(_ position: Int) async throws -> [UInt8] {
        if chunks.indices.contains(position - readAhead) { return chunks[position - readAhead] }
        chunks = []
        if let known = reader.cache.piece(position, of: reader.key(of: image, tenant)) { return known }
        let end = (left.upperBound + Self.chunkBytes - 1) / Self.chunkBytes
        chunks = try await reader.chunks(from: position, to: end, of: image, tenant)
        readAhead = position
        return chunks[0]
    }

    private func gather(_ chunk: [UInt8]) {
        guard gathered != nil else { return }
        gathered?.append(chunk)
        guard left.isEmpty, let all = gathered else { return }
        gathered = nil
        reader.cache.endGathering(byteCount)
        reader.cache.insert(all, reader.key(of: image, tenant))
    }

    private static let chunkBytes = ChilStore.ImageFacts.chunkBytesMax
}
