import ChilCore
import ChilStore

/// What the image commands need.
protocol ImageServices {
    /// - Parameter slug: `nil`: all tenants.
    func moveImages(to target: ImageMover.Target, of slug: Slug?) async throws(AdminFault) -> [ImageMoveRow]
}
