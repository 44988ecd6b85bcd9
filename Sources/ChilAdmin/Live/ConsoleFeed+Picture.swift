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
        let store = ImageStore(database, try services.imageObjects())
        var bytes: [UInt8] = []
        let count = ImageFacts.chunkCount(of: image.byteCount)
        var position = 0
        while position < count {
            let chunks: [[UInt8]]?
            do {
                chunks = try await store.chunks(
                    from: position,
                    to: count,
                    of: image.hash,
                    byteCount: image.byteCount,
                    owner: image.owner,
                    in: tenant
                )
            } catch {
                throw AdminFault(.tryLater, "the image cannot be read: \(error)", remedy: "Look again.")
            }
            guard let chunks, !chunks.isEmpty else { return nil }
            bytes += chunks.flatMap { $0 }
            position += chunks.count
        }
        return try await Self.pixels(bytes, image.mediaType, width: width, height: height)
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
