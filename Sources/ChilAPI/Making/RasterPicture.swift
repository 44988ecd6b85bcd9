import ChilMedia
import ChilMotion
import ChilRaster

/// Drawings made ready for the motion service by the machine's image program.
struct RasterPicture: MotionPicture {
    let rasterizer: Rasterizer

    func prepared(_ drawing: [UInt8], _ mediaType: ChilMedia.MediaType) async throws(MotionFault) -> (
        bytes: [UInt8], mediaType: ChilMedia.MediaType
    ) {
        guard let format = RasterFormat(mediaType: mediaType.rawValue) else {
            throw MotionFault(.unsupportedImage, "a drawing of type \(mediaType.rawValue)")
        }
        do throws(RasterFault) {
            let flat = try await rasterizer.flattened(
                RasterImage(drawing, format),
                sideMax: MotionPictureLimit.sideMax
            )
            return (flat.bytes, .png)
        } catch {
            throw MotionFault(error.isPassing ? .backendUnavailable : .unsupportedImage, error.remedy)
        }
    }
}
