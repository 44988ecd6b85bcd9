import ChilMedia
import ChilPrint
import ChilRaster

/// A page that is laid out, and where its picture comes from when it is drawn. Not `Sendable`.
struct PlannedPage {
    let facts: ChilMedia.ImageFacts
    let layout: PageLayout
    let mark: QRCode?
    let picture: () async throws(PrintPagesFault) -> [UInt8]

    func drawn() async throws(PrintPagesFault) -> DrawnPage {
        DrawnPage(picture: try await picture(), facts: facts, layout: layout, mark: mark)
    }

    func image() async throws(PrintPagesFault) -> RasterImage {
        guard let format = RasterFormat(mediaType: facts.mediaType.rawValue) else { throw .unprintable }
        return RasterImage(try await picture(), format)
    }
}
