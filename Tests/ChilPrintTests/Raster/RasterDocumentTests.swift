import ChilMedia
import ChilMediaTestSupport
import Foundation
import Testing

@testable import ChilPrint

@Suite("Raster document")
struct RasterDocumentTests {
    @Test(arguments: PrintScale.allCases, [false, true])
    func thePictureIsWhereTheLayoutSays(_ scale: PrintScale, _ isLying: Bool) throws {
        for (paper, isColour) in [(PaperName.a6, false), (.postcard, true), (.photoL, false), (.photoL, true)] {
            let form = RasterForm(resolution: 150, isColour: isColour)
            // Turned with its sheet already, as the program that reads pictures does it.
            let shown = try PageLayoutTests.facts(isLying ? 450 : 300, isLying ? 300 : 450)
            let layout = PageLayout(of: shown, scale: scale, on: PaperTray(paper.size), hasMark: true)
            let file = Self.upright(isTurned: isLying, isColour: isColour)
            let mark = "c1ab2cd3ef4gh5i0jklmnopq"
            let page = RasterDocument.Page(
                picture: file,
                facts: try ImageProbe.facts(of: file),
                layout: layout,
                mark: QRCode(mark)
            )
            var bytes = RasterDocument.signature
            try RasterDocument(form, pageCount: 1).write(page) { bytes += $0 }
            let read = try #require(try ReadRaster.pages(of: bytes).first)
            #expect(read.text(0) == "PwgRaster" && read.text(1_732) == paper.size.keyword)
            #expect(read.number(276) == 150 && read.number(280) == 150 && read.number(452) == 1)
            #expect(read.width == (paper.size.width * 150 + 1_270) / 2_540)
            #expect(read.number(400) == (isColour ? 19 : 18) && read.pixelBytes == (isColour ? 3 : 1))
            let place = RasterPlace(layout, form)
            #expect(place.left + place.width <= read.width && place.top + place.height <= read.height)
            let middle = (place.left + place.width / 2, place.top + place.height / 2)
            #expect(read[place.left + 2, middle.1] < 60 && read[place.left + place.width - 3, middle.1] < 60)
            #expect(read[middle.0, place.top + 2] < 60 && read[middle.0, place.top + place.height - 3] < 60)
            #expect(read[place.left - 1, middle.1] == 255 && read[place.left + place.width, middle.1] == 255)
            #expect(read[middle.0, place.top - 1] == 255 && read[middle.0, place.top + place.height] == 255)
            // The dark quarter is above left on the page that is looked at: below left on a turned sheet.
            let quarter = (x: place.left + place.width / 4, y: place.top + place.height * (isLying ? 3 : 1) / 4)
            #expect(read[quarter.x, quarter.y] == 100)
            #expect(read[quarter.x, place.top + place.height * (isLying ? 1 : 3) / 4] == 250)
            #expect(try ReadMark.text(ofPicture: read.portablePixmap, isColour ? "ppm" : "pgm") == mark)
        }
    }

    /// cups-filters' own reader, and poppler after it. In grey: the profile that it puts beside colours is none that poppler reads.
    @Test func anotherMakersReaderReadsIt() throws {
        let isColour = false
        let form = RasterForm(resolution: 300, isColour: isColour)
        let layout = PageLayout(
            of: try PageLayoutTests.facts(450, 300),
            scale: .medium,
            on: PaperTray(PaperName.postcard.size),
            hasMark: true
        )
        let file = Self.upright(isTurned: true, isColour: isColour)
        let facts = try ImageProbe.facts(of: file)
        var bytes = RasterDocument.signature
        for number in 1...2 {
            let page = RasterDocument.Page(picture: file, facts: facts, layout: layout, mark: QRCode("page \(number)"))
            try RasterDocument(form, pageCount: 2).write(page) { bytes += $0 }
        }
        let raster = FileManager.default.temporaryDirectory.appendingPathComponent("chil-\(UUID().uuidString).pwg")
        try Data(bytes).write(to: raster)
        defer { try? FileManager.default.removeItem(at: raster) }
        let document = try Self.output(
            of: "/usr/lib/cups/filter/rastertopdf",
            ["1", "user", "title", "1", "", raster.path],
            ["CONTENT_TYPE": "image/pwg-raster"]
        )
        for number in 1...2 {
            let shown = try RenderedPage(document, resolution: 150, page: number)
            // 100 × 148 mm at 150 dots per inch.
            #expect(abs(shown.width - 591) <= 1 && abs(shown.height - 874) <= 1)
            #expect(try ReadMark.text(ofPicture: shown.portablePixmap, "ppm") == "page \(number)")
            let place = RasterPlace(layout, RasterForm(resolution: 150, isColour: isColour))
            let spot = shown[place.left + place.width / 4, place.top + place.height * 3 / 4]
            // Its grey has a gamma of its own.
            #expect(abs(Int(spot.red) - 100) <= 12, "\(spot)")
        }
    }

    @Test func rowsArePackedAsTheStandardSays() throws {
        var packer = RasterPacker(pixelBytes: 1)
        packer.add([9, 9, 9, 1, 2, 3, 3])
        packer.add([9, 9, 9, 1, 2, 3, 3])
        packer.add([5], times: 600)
        // Twice: three 9, two others, two 3. Then 256 + 256 + 88 times one 5.
        #expect(packer.taken(isEnd: true) == [1, 2, 9, 255, 1, 2, 1, 3, 255, 0, 5, 255, 0, 5, 87, 0, 5])
        var wide = RasterPacker(pixelBytes: 3)
        wide.add([1, 2, 3, 1, 2, 3, 1, 2, 4])
        #expect(wide.taken(isEnd: true) == [0, 1, 1, 2, 3, 0, 1, 2, 4])
    }

    @Test(arguments: [1, 3]) func whateverIsPackedIsRead(_ pixelBytes: Int) throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let width = Int.random(in: 1...400, using: &random)
            var row: [UInt8] = []
            while row.count < width * pixelBytes {
                let pixel = (0..<pixelBytes).map { _ in UInt8.random(in: 0...2, using: &random) }
                let run = Int.random(in: 1...(Bool.random() ? 3 : 300), using: &random)
                for _ in 0..<run where row.count < width * pixelBytes { row += pixel }
            }
            var packer = RasterPacker(pixelBytes: pixelBytes)
            packer.add(row)
            let bytes = packer.taken(isEnd: true)
            var at = 1
            #expect(try ReadRaster.row(of: bytes, &at, row.count, pixelBytes) == row && at == bytes.count)
        }
    }

    @Test func bandsAreHandedOnWhileThePageIsMade() throws {
        let layout = PageLayout(of: try PageLayoutTests.facts(30, 40), scale: .large)
        let file = Self.upright(isTurned: false, isColour: false)
        let page = RasterDocument.Page(picture: file, facts: try ImageProbe.facts(of: file), layout: layout)
        var bands: [Int] = []
        try RasterDocument(RasterForm(resolution: 100, isColour: false), pageCount: 1).write(page) {
            bands.append($0.count)
        }
        // The header, four bands of 256 rows and the rest of 1,169.
        #expect(bands.count == 6 && bands[0] == 1_796 && bands.max()! < 827 * 256)
    }

    @Test func damagedAndInterlacedPicturesAreRefused() throws {
        let layout = PageLayout(of: try PageLayoutTests.facts(40, 60), scale: .large)
        var maker = PNGMaker(width: 40, height: 60) { _, _ in [9, 9, 9] }
        maker.isInterlaced = true
        let head = PNGMaker.signature + PNGMaker.chunk("IHDR", PNGMaker(width: 40, height: 60) { _, _ in [9] }.header())
        let short = head + PNGMaker.chunk("IDAT", PNGMaker.stored([0, 1])) + PNGMaker.chunk("IEND", [])
        for file in [maker.file(), short] {
            let page = RasterDocument.Page(picture: file, facts: try ImageProbe.facts(of: file), layout: layout)
            #expect(throws: PDFFault.self) {
                try RasterDocument(RasterForm(resolution: 72, isColour: true), pageCount: 1).write(page) { _ in }
            }
        }
    }

    /// A frame and a dark quarter: above left, or, turned with its sheet, below left.
    static func upright(isTurned: Bool, isColour: Bool) -> [UInt8] {
        var maker = PNGMaker(width: 60, height: 90) { x, y in
            if x < 3 || y < 3 || x >= 57 || y >= 87 { return isColour ? [10, 10, 10] : [10] }
            let isDark = x < 30 && (isTurned ? y >= 45 : y < 45)
            return isColour ? (isDark ? [100, 60, 30] : [250, 250, 250]) : [isDark ? 100 : 250]
        }
        if !isColour { maker.colourType = 0 }
        return maker.file()
    }

    private static func output(of program: String, _ arguments: [String], _ environment: [String: String]) throws
        -> [UInt8]
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw RenderedPage.Failure(text: "\(program): \(process.terminationStatus) (apt-get install cups-filters)")
        }
        return [UInt8](bytes)
    }
}
