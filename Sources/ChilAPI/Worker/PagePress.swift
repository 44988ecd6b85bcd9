import ChilCore
import ChilMedia
import ChilPrint
import ChilRaster

/// Makes a document of pages that are laid out. Not `Sendable`.
struct PagePress {
    private let rasterizer: Rasterizer
    private let printer: PrinterSnapshot

    init(_ rasterizer: Rasterizer, _ printer: PrinterSnapshot) {
        self.rasterizer = rasterizer
        self.printer = printer
    }

    /// - Parameter pages: one at least, all on the same paper.
    func document(of pages: [PlannedPage], copies: Int, in format: PageFormat) async throws(PrintPagesFault)
        -> PrintDocument
    {
        let paper = pages[0].layout.tray.paper
        let (made, left) = format.leavesCopies ? (1, copies) : (copies, 1)
        switch format.type {
        case .jpeg:
            let bytes = try await jpeg(of: pages[0])
            return PrintDocument(bytes: bytes, format: .jpeg, paper: paper, copies: left, isFitted: true)
        case .pwgRaster:
            let body = try await dots(of: pages, copies: made)
            return PrintDocument(body, format: .pwgRaster, paper: paper, copies: left)
        case .pdf, .png:
            var drawn: [DrawnPage] = []
            for page in pages { drawn.append(try await page.drawn()) }
            let pages = drawn
            let bytes: [UInt8]? = await OffLoop.run { try? PDFDocument.bytes(of: pages, copies: made) }
            guard let bytes else { throw .unprintable }
            return PrintDocument(bytes: bytes, format: .pdf, paper: paper, copies: left)
        }
    }

    /// The picture's own file where nothing has to be done to it.
    private func jpeg(of page: PlannedPage) async throws(PrintPagesFault) -> [UInt8] {
        let (facts, layout) = (page.facts, page.layout)
        let isPlain = facts.mediaType == .jpeg && facts.orientation == .upright && facts.colour != .cmyk
        if isPlain, layout.isLarge, !layout.isTurned {
            return Array(try await page.picture().prefix(facts.pictureByteCount))
        }
        let form = RasterForm(resolution: 300, isColour: true)
        let place = RasterPlace(layout, form)
        let sheet = (width: form.dots(layout.tray.paper.width), height: form.dots(layout.tray.paper.height))
        let image = try await page.image()
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

    /// Whole pages of dots are large: they are made while they are sent, one after the other.
    private func dots(of pages: [PlannedPage], copies: Int) async throws(PrintPagesFault) -> PrintBody {
        let isColour = pages.contains { $0.facts.colour != .grey && $0.facts.colour != .greyAlpha }
        guard let form = RasterForm(for: printer, isColour: isColour) else { throw .noFormat }
        let run = RasterRun(form, pages, copies: copies, by: rasterizer)
        try await run.check()
        return .pieces { run.pieces() }
    }
}
