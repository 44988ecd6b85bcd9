import ChilCore
import ChilDatabase
import ChilMedia
import ChilRaster
import ChilStore

/// Small pictures of images: from memory, else from PostgreSQL, else made now. One is made of one tenant's images at a time and two in
/// all, so that a gallery that is opened for the first time keeps nobody else's waiting. Not `Sendable`: one per loop.
final class ThumbnailDesk {
    private static let atOnceMax = 2
    private static let waitingMax = 256
    private static let waitingOfTenantMax = 64
    /// Images that no picture can be made of are remembered, so that they are not tried again and again.
    private static let hopelessMax = 1_024

    private let database: DatabaseClient
    private let images: ImageReader
    private let rasterizer: Rasterizer
    private var room = TenantRoom(placesMax: waitingMax, placesOfTenantMax: waitingOfTenantMax)
    private var atWork: Set<TenantID> = []
    private var waiting: [(tenant: TenantID, turn: CheckedContinuation<Void, Never>)] = []
    private var hopeless: Set<ImageCache.Key> = []

    init(_ database: DatabaseClient, _ images: ImageReader, _ rasterizer: Rasterizer) {
        self.database = database
        self.images = images
        self.rasterizer = rasterizer
    }

    /// `nil`: the image itself is small, or nothing can be made of it now: then the image serves.
    ///
    /// - Throws: `Problem.notFound` when the image was deleted meanwhile, `DatabaseError`, `ImageObjectFault`.
    func thumbnail(of image: DrawingImage, _ tenant: TenantID) async throws -> Thumbnail? {
        let key = Self.key(of: image, tenant)
        if hopeless.contains(key) { return nil }
        if let known = images.cache.pieces(key)?.first { return Self.sniffed(known) }
        if let kept = try await ThumbnailOne(of: image, in: tenant).first(from: database) {
            images.cache.insert([kept.bytes], key)
            return kept
        }
        guard room.take(for: tenant) else { return nil }
        defer { room.giveBack(of: tenant) }
        await comeToTurn(tenant)
        defer { endTurn(tenant) }
        // Somebody may have made it in the meantime, or found that it cannot be.
        if hopeless.contains(key) { return nil }
        if let known = images.cache.pieces(key)?.first { return Self.sniffed(known) }
        guard let made = try await make(of: image, tenant, key) else { return nil }
        try await ThumbnailPut(made, of: image, in: tenant).touched(on: database)
        images.cache.insert([made.bytes], key)
        return made
    }

    private func make(of image: DrawingImage, _ tenant: TenantID, _ key: ImageCache.Key) async throws -> Thumbnail? {
        let bytes = try await images.pieces(of: image, tenant).flatMap { $0 }
        if let facts = try? ImageProbe.facts(of: bytes), facts.width <= Self.sideMax, facts.height <= Self.sideMax {
            forget(key)
            return nil
        }
        do throws(RasterFault) {
            let small: RasterImage
            if let format = RasterFormat(mediaType: image.mediaType) {
                small = try await rasterizer.thumbnail(of: RasterImage(bytes, format), bytesMax: Thumbnail.bytesMax)
            } else {
                small = try await rasterizer.thumbnail(ofGIF: bytes)
            }
            guard small.bytes.count <= Thumbnail.bytesMax else { throw .outputTooLarge }
            return Thumbnail(mediaType: small.format.mediaType, bytes: small.bytes)
        } catch {
            // What took too long once would hold a child each time that it is asked for.
            if !error.isPassing || error == .timedOut { forget(key) }
            return nil
        }
    }

    /// Nothing will be made of it again here.
    private func forget(_ key: ImageCache.Key) {
        if hopeless.count >= Self.hopelessMax { hopeless.removeAll() }
        hopeless.insert(key)
    }

    private func comeToTurn(_ tenant: TenantID) async {
        guard atWork.count >= Self.atOnceMax || atWork.contains(tenant) else {
            atWork.insert(tenant)
            return
        }
        await withCheckedContinuation { waiting.append((tenant, $0)) }
    }

    /// The next is the first whose tenant has none at work; it is at work from here on.
    private func endTurn(_ tenant: TenantID) {
        atWork.remove(tenant)
        guard let next = waiting.firstIndex(where: { !atWork.contains($0.tenant) }) else { return }
        let (tenant, turn) = waiting.remove(at: next)
        atWork.insert(tenant)
        turn.resume()
    }

    private static let sideMax = Rasterizer.thumbnailSideMax

    private static func key(of image: DrawingImage, _ tenant: TenantID) -> ImageCache.Key {
        ImageCache.Key(tenant: tenant.rawValue, hash: image.hash + [0x74])
    }

    /// They are made in two formats alone.
    private static func sniffed(_ bytes: [UInt8]) -> Thumbnail {
        Thumbnail(mediaType: bytes.starts(with: [0xFF, 0xD8]) ? "image/jpeg" : "image/png", bytes: bytes)
    }
}
