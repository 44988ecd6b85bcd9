package import ChilMedia

/// Pages as PWG raster, for printers that take no PDF.
package struct RasterDocument {
    /// A page of which the picture was made upright, on white, turned with the sheet, and no larger than its place.
    package struct Page: Sendable {
        let picture: [UInt8]
        let facts: ImageFacts
        let layout: PageLayout
        let mark: QRCode?

        /// - Parameter picture: a PNG that is not interlaced, with its `facts`.
        package init(picture: [UInt8], facts: ImageFacts, layout: PageLayout, mark: QRCode? = nil) {
            self.picture = picture
            self.facts = facts
            self.layout = layout
            self.mark = mark
        }
    }

    private let form: RasterForm
    private let pageCount: Int

    /// - Parameter pageCount: of all of the document.
    package init(_ form: RasterForm, pageCount: Int) {
        self.form = form
        self.pageCount = pageCount
    }

    package static let signature = RasterHeader.signature
    /// Rows that are packed before they are handed on.
    private static let bandRowCount = 256

    /// One page, band by band: memory is a band, whatever the page's size.
    package func write(_ page: Page, _ take: ([UInt8]) throws(PDFFault) -> Void) throws(PDFFault) {
        let header = RasterHeader(form: form, paper: page.layout.tray.paper, pageCount: pageCount)
        let place = RasterPlace(page.layout, form)
        var picture = RowScaler(
            try PixelRows(page.picture, facts: page.facts),
            width: place.width,
            height: place.height,
            channels: form.channels
        )
        let stamp = page.layout.mark.flatMap { box in
            page.mark.map { Stamp($0, RasterPlace(of: box, on: page.layout, form), page.layout.isTurned) }
        }
        var packer = RasterPacker(pixelBytes: form.channels)
        let white = [UInt8](repeating: 255, count: header.width * form.channels)
        try take(header.bytes)
        for row in 0..<header.height {
            var line = white
            if place.top <= row, row < place.top + place.height {
                let pixels = try picture.next()
                // A margin of nothing and half a dot: what stands over is left out.
                let (start, count) = (
                    place.left * form.channels, min(pixels.count, white.count - place.left * form.channels)
                )
                line.replaceSubrange(start..<start + count, with: pixels[..<count])
            }
            stamp?.print(on: &line, row, form.channels)
            packer.add(line)
            if row % Self.bandRowCount == Self.bandRowCount - 1 { try take(packer.taken()) }
        }
        try take(packer.taken(isEnd: true))
    }

    /// A mark in dots; its modules are as even as dots let them be.
    private struct Stamp {
        let code: QRCode
        let place: RasterPlace

        init(_ code: QRCode, _ place: RasterPlace, _ isTurned: Bool) {
            self.code = isTurned ? code.turnedLeft : code
            self.place = place
        }

        func print(on line: inout [UInt8], _ row: Int, _ channels: Int) {
            guard place.top <= row, row < place.top + place.height else { return }
            let modules = (row - place.top) * code.side / place.height
            for run in code.runs(in: modules) {
                let start = place.left + (run.lowerBound * place.width + code.side / 2) / code.side
                let end = place.left + (run.upperBound * place.width + code.side / 2) / code.side
                for index in start * channels..<min(end * channels, line.count) { line[index] = 0 }
            }
        }
    }
}
