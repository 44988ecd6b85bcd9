import ChilMedia
import ChilMediaTestSupport
import Foundation
import Testing

@testable import ChilRaster

@Suite("Rasterizer")
struct RasterizerTests {
    static let rasterizer = Rasterizer()

    /// A sheet of yellowish paper with a dark square.
    static func page(_ columns: Int = 80, _ rows: Int = 100, orientation: UInt8? = nil) -> [UInt8] {
        var maker = JPEGMaker(columns: columns, rows: rows) { column, row in
            (20..<60).contains(column) && (30..<70).contains(row) ? [40] : [200]
        }
        maker.orientation = orientation
        return maker.file()
    }

    private func sides(_ image: RasterImage) throws -> [Int] {
        let facts = try ImageProbe.facts(of: image.bytes)
        #expect(facts.mediaType.rawValue == image.format.mediaType)
        #expect(facts.orientation == .upright)
        return [facts.width, facts.height]
    }

    @Test func theProgramsAreInstalled() {
        #expect(RasterPrograms().missing.isEmpty, "scripts/install-packages installs them")
    }

    @Test(arguments: [(nil, [410, 512]), (UInt8(6), [512, 410]), (UInt8(3), [410, 512])] as [(UInt8?, [Int])])
    func thumbnailsAreSmallAndUpright(_ orientation: UInt8?, _ expected: [Int]) async throws {
        let image = RasterImage(Self.page(orientation: orientation), .jpeg)
        let thumbnail = try await Self.rasterizer.thumbnail(of: image)
        #expect(try sides(thumbnail) == expected)
        #expect(thumbnail.format == .jpeg)
    }

    @Test func smallPicturesStaySmall() async throws {
        let maker = PNGMaker(width: 30, height: 20) { column, _ in [column * 8, 0, 0] }
        let thumbnail = try await Self.rasterizer.thumbnail(of: RasterImage(maker.file(), .png))
        #expect(try sides(thumbnail) == [30, 20])
        #expect(thumbnail.format == .png)
    }

    @Test func whatIsTransparentBecomesWhite() async throws {
        var maker = PNGMaker(width: 1_200, height: 300) { column, _ in
            column < 600 ? [255, 0, 0, 0] : [255, 0, 0, 255]
        }
        maker.colourType = 6
        let flat = try await Self.rasterizer.flattened(RasterImage(maker.file(), .png))
        #expect(try sides(flat) == [1_000, 250])
        let facts = try ImageProbe.facts(of: flat.bytes)
        #expect(!facts.hasTransparency)
        let pixels = try await Self.pixels(flat)
        #expect(pixels.bytes[..<3] == [255, 255, 255])
        #expect(pixels.bytes[(999 * 3)..<1_000 * 3] == [255, 0, 0])
    }

    @Test func aScanIsCutAndWhite() async throws {
        let image = RasterImage(Self.page(), .jpeg)
        let scan = try await Self.rasterizer.scan(of: image, width: 640, height: 800)
        let size = try sides(scan)
        // The square has 320 pixels, the margin three per cent of the longer side.
        #expect((340...400).contains(size[0]) && (340...400).contains(size[1]), "\(size)")
        let pixels = try await Self.pixels(scan)
        #expect(pixels.bytes[0] > 245)
        let middle = (pixels.height / 2 * pixels.width + pixels.width / 2) * 3
        #expect(pixels.bytes[middle] < 70)
    }

    /// A comment of the file's goes neither into the sample nor into what is made.
    @Test func textsAreNoPartOfIt() async throws {
        var maker = JPEGMaker(columns: 80, rows: 100) { column, row in
            (20..<60).contains(column) && (30..<70).contains(row) ? [40] : [200]
        }
        maker.extraSegments = JPEGMaker.segment(0xFE, Array("secret\n9 9\n255\n".utf8))
        let page = RasterImage(maker.file(), .jpeg)
        for made in [
            try await Self.rasterizer.scan(of: page, width: 640, height: 800),
            try await Self.rasterizer.thumbnail(of: page), try await Self.rasterizer.flattened(page),
        ] {
            #expect(made.bytes.firstRange(of: Array("secret".utf8)) == nil)
        }
    }

    @Test func aTurnedScanIsCutWhereItIsSeen() async throws {
        var maker = JPEGMaker(columns: 80, rows: 100) { column, row in
            (10..<30).contains(column) && (50..<90).contains(row) ? [0] : [230]
        }
        maker.orientation = 6
        let scan = try await Self.rasterizer.scan(of: RasterImage(maker.file(), .jpeg), width: 800, height: 640)
        let size = try sides(scan)
        #expect((340...400).contains(size[0]) && (180...240).contains(size[1]), "\(size)")
    }

    @Test(arguments: ["", "no picture", "\u{89}PNG\r\n\u{1A}\n"])
    func whatIsNoPictureIsRefused(_ text: String) async throws {
        for format in RasterFormat.allCases {
            let image = RasterImage(Array(text.utf8), format)
            await #expect { try await Self.rasterizer.thumbnail(of: image) } throws: {
                if case RasterFault.unreadable = $0 { true } else { false }
            }
        }
    }

    /// The program never looks at the bytes to learn what they are: a script that draws would be run.
    @Test(arguments: [
        "push graphic-context\nviewbox 0 0 640 480\nimage over 0,0 0,0 '/etc/passwd'\npop graphic-context",
        "<svg xmlns='http://www.w3.org/2000/svg'><image href='/etc/passwd'/></svg>", "%!PS\n(/etc/passwd) run",
        "GIF89a\u{1}\u{0}\u{1}\u{0}",
    ])
    func noOtherFormatIsRead(_ text: String) async throws {
        for format in RasterFormat.allCases {
            await #expect(throws: RasterFault.self) {
                try await Self.rasterizer.flattened(RasterImage(Array(text.utf8), format))
            }
        }
    }

    static func pixels(_ image: RasterImage) async throws -> PixelSample {
        let output = try await rasterizer.run(
            rasterizer.programs.magick,
            ["convert", image.format.rawValue + ":-", "-depth", "8", "PPM:-"],
            on: image.bytes
        )
        return try #require(PixelSample(portablePixmap: output))
    }
}
