/// One page as PWG raster, band by band: memory is a band, whatever the page's size.
///
/// `@unchecked Sendable`: its bands are asked for one after the other, wherever that is done.
package final class RasterBands: @unchecked Sendable {
    private let header: RasterHeader
    private let place: RasterPlace
    private let stamp: Stamp?
    private let channels: Int
    private let white: [UInt8]
    private var picture: RowScaler
    private var packer: RasterPacker
    private var isBegun = false
    private var row = 0

    /// Rows that are packed before they are handed on.
    private static let rowCount = 256

    init(_ page: RasterDocument.Page, _ form: RasterForm, pageCount: Int) throws(PDFFault) {
        header = RasterHeader(form: form, paper: page.layout.tray.paper, pageCount: pageCount)
        place = RasterPlace(page.layout, form)
        channels = form.channels
        picture = RowScaler(
            try PixelRows(page.picture, facts: page.facts),
            width: place.width,
            height: place.height,
            channels: form.channels
        )
        stamp = page.layout.mark.flatMap { box in
            page.mark.map { Stamp($0, RasterPlace(of: box, on: page.layout, form), page.layout.isTurned) }
        }
        packer = RasterPacker(pixelBytes: form.channels)
        white = [UInt8](repeating: 255, count: header.width * form.channels)
    }

    /// `nil`: that was all of it.
    package func next() throws(PDFFault) -> [UInt8]? {
        guard isBegun else {
            isBegun = true
            return header.bytes
        }
        guard row < header.height else { return nil }
        let end = min(header.height, row + Self.rowCount)
        while row < end {
            var line = white
            if place.top <= row, row < place.top + place.height {
                let pixels = try picture.next()
                // A margin of nothing and half a dot: what stands over is left out.
                let (start, count) = (place.left * channels, min(pixels.count, white.count - place.left * channels))
                line.replaceSubrange(start..<start + count, with: pixels[..<count])
            }
            stamp?.print(on: &line, row, channels)
            packer.add(line)
            row += 1
        }
        return packer.taken(isEnd: row == header.height)
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
