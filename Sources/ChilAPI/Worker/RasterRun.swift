import ChilMedia
import ChilPrint
import ChilRaster

/// Pages as dots, one after the other: a page's picture is loaded and drawn when it is the page's turn, and gone after it. Not `Sendable`.
final class RasterRun {
    private let form: RasterForm
    private let pages: [PlannedPage]
    private let document: RasterDocument
    fileprivate let pageCount: Int
    private let rasterizer: Rasterizer
    /// Of a document of one picture.
    private var only: RasterImage?

    init(_ form: RasterForm, _ pages: [PlannedPage], copies: Int, by rasterizer: Rasterizer) {
        self.form = form
        self.pages = pages
        self.rasterizer = rasterizer
        pageCount = pages.count * copies
        document = RasterDocument(form, pageCount: pageCount)
    }

    /// Whether all of them can be drawn: found out before a printer hears of the first.
    func check() async throws(PrintPagesFault) {
        for page in pages {
            let image = try await image(of: page)
            _ = try await bands(of: page, image)
            if pages.count == 1 { only = image }
        }
    }

    func pieces() -> any PrintPieces { Pieces(of: self) }

    fileprivate func bands(_ number: Int) async throws(PrintPagesFault) -> RasterBands {
        let page = pages[number % pages.count]
        if let only { return try await bands(of: page, only) }
        return try await bands(of: page, try await image(of: page))
    }

    private func image(of page: PlannedPage) async throws(PrintPagesFault) -> RasterImage {
        let place = RasterPlace(page.layout, form)
        do {
            return try await rasterizer.page(
                of: try await page.image(),
                width: place.width,
                height: place.height,
                isTurned: page.layout.isTurned,
                isGrey: !form.isColour
            )
        } catch let fault as PrintPagesFault {
            throw fault
        } catch {
            throw (error as? RasterFault)?.isPassing == true ? .unreadable : .unprintable
        }
    }

    private func bands(of page: PlannedPage, _ image: RasterImage) async throws(PrintPagesFault) -> RasterBands {
        let (document, layout, mark) = (document, page.layout, page.mark)
        let bands: RasterBands? = await OffLoop.run {
            guard let facts = try? ImageProbe.facts(of: image.bytes) else { return nil }
            return try? document.bands(
                of: RasterDocument.Page(picture: image.bytes, facts: facts, layout: layout, mark: mark)
            )
        }
        guard let bands else { throw .unprintable }
        return bands
    }

    private final class Pieces: PrintPieces {
        private let run: RasterRun
        private var bands: RasterBands?
        private var number = 0
        private var isBegun = false

        init(of run: RasterRun) {
            self.run = run
        }

        func next() async throws(PrintPagesFault) -> [UInt8]? {
            guard isBegun else {
                isBegun = true
                return RasterDocument.signature
            }
            while true {
                if let bands {
                    switch await OffLoop.run({ Result { () throws(PDFFault) in try bands.next() } }) {
                    case .success(let band?): return band
                    case .success(nil): (self.bands, number) = (nil, number + 1)
                    case .failure: throw .unprintable
                    }
                }
                guard number < run.pageCount else { return nil }
                bands = try await run.bands(number)
            }
        }
    }
}
