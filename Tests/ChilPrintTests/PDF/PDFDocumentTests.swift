import ChilMedia
import ChilMediaTestSupport
import ChilPrint
import Foundation
import Testing

/// A picture of four quarters; `colours` are what the page must show at upper left, upper right, lower left, lower right.
struct PictureRow: Sendable, CustomTestStringConvertible {
    let name: String
    let file: [UInt8]
    let colours: [[Int]]
    var testDescription: String { name }

    static let quarters = [[220, 20, 20], [20, 200, 20], [20, 20, 210], [90, 90, 90]]
    static let greys = [[0, 0, 0], [85, 85, 85], [170, 170, 170], [85, 85, 85]]

    static let all: [Self] = pngs + jpegs + orientations

    private static let pngs: [Self] = [
        png("RGB") { _ in },
        png("RGB of 16 bits") {
            $0.bitsPerSample = 16; $0.samples = { x, y in colour(x, y).map { $0 * 257 } }
        },
        png("RGB, lying", width: 60, height: 40) { _ in },
        png("RGB, interlaced") { $0.isInterlaced = true },
        png("RGB, interlaced and odd", width: 13, height: 17) {
            $0.isInterlaced = true; $0.samples = { colour($0, $1, 13, 17) }
        },
        png("grey", greys) { grey(&$0, 8) },
        png("grey of 16 bits", greys) { grey(&$0, 16) },
        png("grey of 4 bits", greys) { grey(&$0, 4) },
        png("grey of 2 bits", greys) { grey(&$0, 2) },
        png("grey of 2 bits, interlaced", greys) {
            grey(&$0, 2); $0.isInterlaced = true
        },
        png("grey of 1 bit", [[0, 0, 0], [255, 255, 255], [255, 255, 255], [255, 255, 255]]) {
            $0.colourType = 0
            $0.bitsPerSample = 1
            $0.samples = { [quarter($0, $1) == 0 ? 0 : 1] }
        },
        png("palette of 8 bits") { palette(&$0, 8) },
        png("palette of 2 bits") { palette(&$0, 2) },
        png("palette of 4 bits, interlaced") {
            palette(&$0, 4); $0.isInterlaced = true
        },
        png("palette, second clear", [[220, 20, 20], [255, 255, 255], [20, 20, 210], [90, 90, 90]]) {
            palette(&$0, 2)
            $0.transparency = [255, 0]
        },
        png("grey with a clear colour", [[0, 0, 0], [255, 255, 255], [170, 170, 170], [255, 255, 255]]) {
            grey(&$0, 8)
            $0.transparency = [0, 85]
        },
        png("RGB with a clear colour", [[255, 255, 255]] + quarters.dropFirst()) {
            $0.transparency = [0, 220, 0, 20, 0, 20]
        },
        png("RGB and alpha", [[220, 20, 20], [137, 227, 137], [255, 255, 255], [90, 90, 90]]) {
            $0.colourType = 6
            $0.samples = { x, y in colour(x, y) + [[255, 128, 0, 255][quarter(x, y)]] }
        },
        png(
            "RGB and alpha of 16 bits, interlaced",
            [[220, 20, 20], [137, 227, 137], [255, 255, 255], [90, 90, 90]]
        ) {
            $0.colourType = 6
            $0.bitsPerSample = 16
            $0.isInterlaced = true
            $0.samples = { x, y in (colour(x, y) + [[255, 128, 0, 255][quarter(x, y)]]).map { $0 * 257 } }
        },
        png("grey and alpha", [[0, 0, 0], [170, 170, 170], [255, 255, 255], [85, 85, 85]]) {
            $0.colourType = 4
            $0.samples = { x, y in [greys[quarter(x, y)][0], [255, 128, 0, 255][quarter(x, y)]] }
        },
    ]

    private static let jpegs: [Self] = [
        jpeg("JPEG, plain RGB of Adobe") { $0.adobeTransform = 0 },
        jpeg("JPEG, lying", columns: 6, rows: 4) { $0.adobeTransform = 0 },
        jpeg("JPEG, grey", greys) { $0.block = { x, y in [UInt8(greys[quarter(x, y, 4, 6)][0])] } },
        // Inverted, as Adobe writes it: 255 is no ink. Poppler's own way from cyan to RGB is not a plain one.
        jpeg("JPEG, CMYK of Adobe", [[35, 31, 32], [255, 255, 255], [255, 255, 255], [255, 255, 255]]) {
            $0.adobeTransform = 0
            $0.block = { x, y in [255, 255, 255, quarter(x, y, 4, 6) == 0 ? 0 : 255] }
        },
        jpeg("JPEG, CMYK without a marker", [[35, 31, 32], [255, 255, 255], [255, 255, 255], [255, 255, 255]]) {
            $0.block = { x, y in [0, 0, 0, quarter(x, y, 4, 6) == 0 ? 255 : 0] }
        },
    ]

    /// Stored so that, shown by its orientation, each must look the same (EXIF 2.32 §4.6.4).
    private static let orientations: [Self] = [
        (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [3, 2, 1, 0]), (4, [2, 3, 0, 1]),
        (5, [0, 2, 1, 3]), (6, [1, 3, 0, 2]), (7, [3, 1, 2, 0]), (8, [2, 0, 3, 1]),
    ].map { (orientation: UInt8, stored: [Int]) in
        let (columns, rows) = orientation >= 5 ? (6, 4) : (4, 6)
        return jpeg("JPEG, orientation \(orientation)", columns: columns, rows: rows) {
            $0.adobeTransform = 0
            $0.orientation = orientation
            $0.block = { x, y in quarters[stored[quarter(x, y, columns, rows)]].map { UInt8($0) } }
        }
    }

    private static func quarter(_ x: Int, _ y: Int, _ width: Int = 40, _ height: Int = 60) -> Int {
        (x * 2 >= width ? 1 : 0) + (y * 2 >= height ? 2 : 0)
    }

    private static func colour(_ x: Int, _ y: Int, _ width: Int = 40, _ height: Int = 60) -> [Int] {
        quarters[quarter(x, y, width, height)]
    }

    private static func png(
        _ name: String,
        _ colours: [[Int]] = quarters,
        width: Int = 40,
        height: Int = 60,
        _ change: (inout PNGMaker) -> Void
    ) -> Self {
        var maker = PNGMaker(width: width, height: height) { colour($0, $1, width, height) }
        change(&maker)
        return Self(name: "PNG, \(name)", file: maker.file(), colours: colours)
    }

    private static func jpeg(
        _ name: String,
        _ colours: [[Int]] = quarters,
        columns: Int = 4,
        rows: Int = 6,
        _ change: (inout JPEGMaker) -> Void
    ) -> Self {
        var maker = JPEGMaker(columns: columns, rows: rows) { x, y in colour(x, y, columns, rows).map { UInt8($0) } }
        change(&maker)
        return Self(name: name, file: maker.file(), colours: colours)
    }

    private static func grey(_ maker: inout PNGMaker, _ bits: Int) {
        maker.colourType = 0
        maker.bitsPerSample = bits
        maker.samples = { x, y in [greys[quarter(x, y)][0] * ((1 << bits) - 1) / 255] }
    }

    private static func palette(_ maker: inout PNGMaker, _ bits: Int) {
        maker.colourType = 3
        maker.bitsPerSample = bits
        maker.palette = quarters.flatMap { $0.map { UInt8($0) } }
        maker.samples = { [quarter($0, $1)] }
    }
}

@Suite("PDF document")
struct PDFDocumentTests {
    @Test(arguments: PictureRow.all) func showsThePictureWhereTheLayoutSays(_ row: PictureRow) throws {
        let (document, layout) = try Self.document(row.file, .medium)
        let page = try RenderedPage(document)
        #expect(page.width == (layout.isTurned ? 842 : 596) && page.height == (layout.isTurned ? 596 : 842))
        let box = layout.picture
        for (quarter, expected) in row.colours.enumerated() {
            let (right, down) = (Double(quarter % 2), Double(quarter / 2))
            // Near the outer corner, near the middle, and between.
            for share in [0.06, 0.25, 0.44] {
                let x = box.left + box.width * (right == 0 ? share : 1 - share)
                let y = layout.pageHeight - box.bottom - box.height * (down == 0 ? 1 - share : share)
                let pixel = page[Int(x), Int(y)]
                let differences = zip([pixel.red, pixel.green, pixel.blue], expected).map { abs(Int($0) - $1) }
                #expect(
                    differences.allSatisfy { $0 <= 2 },
                    "quarter \(quarter) at \(share): \(pixel) is not \(expected)"
                )
            }
        }
    }

    @Test(arguments: PrintScale.allCases, [(40, 60), (60, 40), (50, 50), (200, 3)])
    func inkIsTheBox(_ scale: PrintScale, _ size: (Int, Int)) throws {
        var maker = PNGMaker(width: size.0, height: size.1) { _, _ in [0] }
        maker.colourType = 0
        let (document, layout) = try Self.document(maker.file(), scale)
        let ink = try RenderedPage(document, resolution: 144).ink
        let box = layout.picture
        let top = layout.pageHeight - box.bottom - box.height
        for (value, expected) in zip(ink, [box.left, top, box.left + box.width, top + box.height]) {
            #expect(abs(Double(value) - expected * 2) <= 1.5, "\(ink)")
        }
    }

    @Test(arguments: [SampleFile.jpegWithRestarts, SampleFile.progressiveJPEG, SampleFile.interlacedPNG])
    func filesOfOtherMakersAreDrawn(_ base64: String) throws {
        let (document, layout) = try Self.document(Array(try #require(Data(base64Encoded: base64))), .large)
        let page = try RenderedPage(document)
        // The source is red = 7x, green = 11y, blue = 5(x + y) at 37 × 21 pixels; its middle is (18, 10).
        let pixel = page[Int(layout.pageWidth / 2), Int(layout.pageHeight / 2)]
        #expect(abs(Int(pixel.red) - 126) < 24 && abs(Int(pixel.green) - 110) < 24 && abs(Int(pixel.blue) - 140) < 24)
    }

    @Test func sameInputSameBytes() throws {
        for row in PictureRow.all {
            #expect(try Self.document(row.file, .small).0 == Self.document(row.file, .small).0, "\(row.name)")
        }
    }

    @Test func pixelsAreNotEncodedAnew() throws {
        let maker = PNGMaker(width: 40, height: 60) { [$0, $1, 1] }
        let pixels = maker.chunks().filter { $0.0 == "IDAT" }.flatMap(\.1)
        let (document, _) = try Self.document(maker.file(), .large)
        #expect(Data(document).range(of: Data(pixels)) != nil)
        let photo = JPEGMaker(columns: 2, rows: 2) { _, _ in [9] }.file()
        #expect(Data(try Self.document(photo, .large).0).range(of: Data(photo)) != nil)
    }

    @Test func copiesArePages() throws {
        let file = PictureRow.all[0].file
        let facts = try ImageProbe.facts(of: file)
        let layout = PageLayout(of: facts, scale: .large)
        let page = DrawnPage(picture: file, facts: facts, layout: layout)
        let one = try PDFDocument.bytes(of: [page])
        let three = try PDFDocument.bytes(of: [page], copies: 3)
        #expect(three.count < one.count + 500)
        #expect(try RenderedPage(three, page: 3).ink == RenderedPage(one).ink)
        for copies in [0, -1, 100] {
            #expect(throws: PDFFault.copyCount(max: 99)) {
                try PDFDocument.bytes(of: [page], copies: copies)
            }
        }
    }

    @Test func everyOffsetOfTheTableIsAnObject() throws {
        let bytes = try Self.document(PictureRow.all[0].file, .large).0
        let text = String(decoding: bytes.map { $0 < 128 ? $0 : 63 }, as: UTF8.self)
        let table = try #require(text.range(of: "\nxref\n0 6\n0000000000 65535 f \n"))
        for number in 1...5 {
            let entry = text[table.upperBound...].dropFirst((number - 1) * 20).prefix(20)
            #expect(entry.hasSuffix(" 00000 n \n"))
            let offset = try #require(Int(entry.prefix(10)))
            #expect(text.dropFirst(offset).hasPrefix("\(number) 0 obj\n"))
        }
        let start = try #require(text.range(of: "startxref\n"))
        #expect(text[start.upperBound...] == "\(text[..<table.lowerBound].utf8.count + 1)\n%%EOF\n")
    }

    @Test(arguments: [false, true], [0, 6]) func shortOrBadPixelsAreRefused(_ isInterlaced: Bool, _ colourType: Int)
        throws
    {
        var maker = PNGMaker(width: 40, height: 60) { _, _ in colourType == 0 ? [9] : [9, 9, 9, 9] }
        maker.colourType = colourType
        maker.isInterlaced = isInterlaced
        let layout = PageLayout(of: try ImageProbe.facts(of: maker.file()), scale: .large)
        let header = PNGMaker.chunk("IHDR", maker.header())
        let streams = [
            PNGMaker.stored([0, 1, 2]), Array(PNGMaker.stored([0, 1, 2]).prefix(3)), [0x78, 0x01, 0xFF, 0xFF],
            PNGMaker.stored([UInt8](repeating: 7, count: 20_000)),
        ]
        for stream in streams {
            let file = PNGMaker.signature + header + PNGMaker.chunk("IDAT", stream) + PNGMaker.chunk("IEND", [])
            let facts = try ImageProbe.facts(of: file)
            #expect(throws: PDFFault.damagedPixels) {
                try PDFDocument.bytes(of: [DrawnPage(picture: file, facts: facts, layout: layout)])
            }
        }
    }

    @Test func largeInterlacedPicturesAreRefusedBeforeTheyAreHeld() throws {
        var maker = PNGMaker(width: 1, height: 1) { _, _ in [0] }
        maker.isInterlaced = true
        maker.width = 8_000
        maker.height = 8_000
        let file =
            PNGMaker.signature + PNGMaker.chunk("IHDR", maker.header())
            + PNGMaker.chunk("IDAT", PNGMaker.stored([0])) + PNGMaker.chunk("IEND", [])
        let facts = try ImageProbe.facts(of: file)
        #expect(throws: PDFFault.interlacedTooLarge(pixelCountMax: 16_777_216)) {
            try PDFDocument.bytes(
                of: [DrawnPage(picture: file, facts: facts, layout: PageLayout(of: facts, scale: .large))]
            )
        }
    }

    static func document(_ file: [UInt8], _ scale: PrintScale) throws -> ([UInt8], PageLayout) {
        let facts = try ImageProbe.facts(of: file)
        let layout = PageLayout(of: facts, scale: scale)
        return (try PDFDocument.bytes(of: [DrawnPage(picture: file, facts: facts, layout: layout)]), layout)
    }
}
