import ChilConsole
import ChilCore
import ChilDatabase
import ChilRaster
import ChilStore

extension ConsoleFeed {
    /// No small one was made yet: of the image itself, if it is not too large and lies in PostgreSQL or in the store that is set.
    func wholePicture(of image: DrawingImage, _ tenant: TenantID, width: Int, height: Int) async throws(AdminFault)
        -> Picture?
    {
        guard image.byteCount <= Self.bytesMax else { return nil }
        let large = try services.watchDatabase(bulk: 1)
        let read: Result<[UInt8]?, any Error>
        do {
            read = .success(try await Self.bytes(of: image, tenant, ImageStore(large, try services.imageObjects())))
        } catch {
            read = .failure(error)
        }
        await large.close()
        switch read {
        case .success(let bytes?):
            return try await Self.pixels(bytes, image.mediaType, width: width, height: height)
        case .success(nil): return nil
        case .failure(let error as DatabaseError): throw services.fault(error)
        case .failure(let error):
            throw AdminFault(.tryLater, "the image cannot be read: \(error)", remedy: "Look again.")
        }
    }

    private static func bytes(of image: DrawingImage, _ tenant: TenantID, _ store: ImageStore) async throws -> [UInt8]?
    {
        var bytes: [UInt8] = []
        let count = ImageFacts.chunkCount(of: image.byteCount)
        var position = 0
        while position < count {
            let chunks = try await store.chunks(
                from: position,
                to: count,
                of: image.hash,
                byteCount: image.byteCount,
                owner: image.owner,
                in: tenant
            )
            guard let chunks, !chunks.isEmpty else { return nil }
            bytes += chunks.flatMap { $0 }
            position += chunks.count
        }
        return bytes
    }

    private static let bytesMax: Int64 = 20_000_000

    /// By GraphicsMagick in a process of its own, as the service makes small pictures: what a crafted file does, it does to that one.
    static func pixels(_ bytes: [UInt8], _ mediaType: String, width: Int, height: Int) async throws(AdminFault)
        -> Picture?
    {
        let rasterizer = Rasterizer()
        do throws(RasterFault) {
            let image: RasterImage
            if let format = RasterFormat(mediaType: mediaType) {
                image = RasterImage(bytes, format)
            } else {
                image = try await rasterizer.thumbnail(ofGIF: bytes)
            }
            let pixels = try await rasterizer.pixels(of: image, width: width, height: height)
            return Picture(width: pixels.width, height: pixels.height, bytes: pixels.bytes)
        } catch {
            throw AdminFault(.failed, "no picture: \(error.remedy)", remedy: error.remedy)
        }
    }
}
