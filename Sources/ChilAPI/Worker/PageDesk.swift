import ChilAuth
import ChilCrypto
import ChilDatabase
import ChilRaster

/// What it takes to draw pages. Not `Sendable`.
struct PageDesk {
    let images: ImageReader
    let database: DatabaseClient
    let rasterizer: Rasterizer
    let marks: PageMarks

    init(_ images: ImageReader, _ database: DatabaseClient, _ shared: SharedState) {
        self.images = images
        self.database = database
        rasterizer = shared.rasterizer
        marks = PageMarks(shared.keyRing)
    }
}
