import ChilCore
import ChilMedia
import ChilPrint
import ChilRaster

/// Makes a document of pages that are laid out. Not `Sendable`.
struct PagePress {
    /// What is sent to a printer in one piece.
    static let documentBytesMax = 128 << 20

    private let rasterizer: Rasterizer
    private let printer: PrinterSnapshot

    init(_ rasterizer: Rasterizer, _ printer: PrinterSnapshot) {
        self.rasterizer = rasterizer
        self.printer = printer
    }

    /// - Parameter pages: one at least, all on the same paper.
    func document(of pages: [DrawnPage], copies: Int, in format: PageFormat) async throws(PrintPagesFault)
        -> PrintDocument
    {
        let paper = pages[0].layout.tray.paper
        let (made, left) = format.leavesCopies ? (1, copies) : (copies, 1)
        switch format.type {
        case .jpeg:
            let bytes = try await jpeg(of: pages[0])
            return PrintDocument(bytes: bytes, format: .jpeg, paper: paper, copies: left, isFitted: true)
        case .pwgRaster:
            let bytes = try await dots(of: pages, copies: made)
            return PrintDocument(bytes: bytes, format: .pwgRaster, paper: paper, copies: left)
        case .pdf, .png:
            let bytes: [UInt8]? = await OffLoop.run { try? PDFDocument.bytes(of: pages, copies: made) }
            guard let bytes else { throw .unprintable }
            return PrintDocument(bytes: bytes, format: .pdf, paper: paper, copies: left)
        }
    }

    /// The picture's own file where nothing has to be done to it.
    private func jpeg(of page: DrawnPage) async throws(PrintPagesFault) -> [UInt8] {
        let (facts, layout) = (page.facts, page.layout)
        let isPlain = facts.mediaType == .jpeg && facts.orientation == .upright && facts.colour != .cmyk
        if isPlain, layout.isLarge, !layout.isTurned { return Array(page.picture.prefix(facts.pictureByteCount)) }
        let form = RasterForm(resolution: 300, isColour: true)
        let place = RasterPlace(layout, form)
        let sheet = (width: form.dots(layout.tray.paper.width), height: form.dots(layout.tray.paper.height))
        let image = try image(of: page)
        do {
            return try await rasterizer.sheet(
                of: image,
                left: place.left,
                top: place.top,
                width: place.width,
                height: place.height,
                on: sheet,
                isTurned: layout.isTurned
            ).bytes
        } catch {
            throw error.isPassing ? .unreadable : .unprintable
        }
    }

    /// Page by page: pictures are read by a program of their own, and what is held is packed.
    private func dots(of pages: [DrawnPage], copies: Int) async throws(PrintPagesFault) -> [UInt8] {
        let isColour = pages.contains { $0.facts.colour != .grey && $0.facts.colour != .greyAlpha }
        guard let form = RasterForm(for: printer, isColour: isColour) else { throw .noFormat }
        let document = RasterDocument(form, pageCount: pages.count * copies)
        var bytes = RasterDocument.signature
        for page in pages {
            let place = RasterPlace(page.layout, form)
            let image = try image(of: page)
            let made: RasterImage
            do {
                made = try await rasterizer.page(
                    of: image,
                    width: place.width,
                    height: place.height,
                    isTurned: page.layout.isTurned,
                    isGrey: !form.isColour
                )
            } catch {
                throw error.isPassing ? .unreadable : .unprintable
            }
            let room = Self.documentBytesMax - bytes.count
            let packed: [UInt8]? = await OffLoop.run {
                guard let facts = try? ImageProbe.facts(of: made.bytes) else { return nil }
                let drawn = RasterDocument.Page(picture: made.bytes, facts: facts, layout: page.layout, mark: page.mark)
                var packed: [UInt8] = []
                do {
                    try document.write(drawn) { band throws(PDFFault) in
                        packed += band
                        if packed.count > room { throw .damagedPixels }
                    }
                } catch {
                    return nil
                }
                return packed
            }
            guard let packed else { throw .unprintable }
            bytes += packed
        }
        let once = bytes.dropFirst(RasterDocument.signature.count)
        guard once.count * copies <= Self.documentBytesMax else { throw .unprintable }
        for _ in 1..<max(1, copies) { bytes += once }
        return bytes
    }

    private func image(of page: DrawnPage) throws(PrintPagesFault) -> RasterImage {
        guard let format = RasterFormat(mediaType: page.facts.mediaType.rawValue) else { throw .unprintable }
        return RasterImage(page.picture, format)
    }
}
