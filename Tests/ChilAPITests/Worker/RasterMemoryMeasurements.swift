import ChilMedia
import ChilMediaTestSupport
import ChilPrint
import ChilRaster
import Foundation
import Testing

@testable import ChilAPI

/// A book of dots is made while it is sent: what it takes of memory is what one page takes, however many there are.
@Suite("Raster memory measurements", .serialized)
struct RasterMemoryMeasurements {
    /// Resident bytes that twenty pages of 600 dpi may add: a picture, what GraphicsMagick makes of it, and a band.
    private static let risenMax = 32 << 20
    private static let pageCount = 20

    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (Int(text.split(separator: " ")[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    private static let printer = PrinterSnapshot(
        IPPMessage.Group(
            .printer,
            [
                IPPAttribute("document-format-supported", .mimeMediaType("image/pwg-raster")),
                IPPAttribute(
                    "pwg-raster-document-resolution-supported",
                    .resolution(across: 600, along: 600, units: 3)
                ),
                IPPAttribute("pwg-raster-document-type-supported", .keyword("sgray_8")),
            ]
        )
    )

    /// Noise, which can't be packed, as photographs can't.
    private static func noise(_ seed: Int) -> [UInt8] {
        var maker = PNGMaker(width: 400, height: 600) { column, row in
            var mixed = UInt64(truncatingIfNeeded: seed &* 1_000_003 &+ row &* 4_099 &+ column) &* 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
            return [Int(mixed >> 56)]
        }
        maker.colourType = 0
        return maker.file()
    }

    private static func pages(_ count: Int, on paper: PaperName = .photoL) throws -> [PlannedPage] {
        try (0..<count).map { number in
            let picture = noise(number)
            let facts = try ImageProbe.facts(of: picture)
            let layout = PageLayout(of: facts, scale: .large, on: PaperTray(paper.size), hasMark: true)
            return PlannedPage(facts: facts, layout: layout, mark: QRCode("c\(number)")) { picture }
        }
    }

    private static func document(_ pages: [PlannedPage], copies: Int = 1) async throws -> any PrintPieces {
        let format = try #require(PageFormat(for: printer, pageCount: pages.count, copies: copies))
        #expect(format.type == .pwgRaster)
        let press = PagePress(Rasterizer(), printer)
        let document = try await press.document(of: pages, copies: copies, in: format)
        guard case .pieces(let begin) = document.body else { throw PrintPagesFault.noFormat }
        return begin()
    }

    private static func fault(_ pages: [PlannedPage]) async -> PrintPagesFault? {
        do {
            _ = try await document(pages)
            return nil
        } catch {
            return error as? PrintPagesFault
        }
    }

    @Test func aBookIsNeverInMemory() async throws {
        let pages = try Self.pages(Self.pageCount)
        let before = try Self.residentBytes()
        var pieces = try await Self.document(pages)
        var (total, highest, largest) = (0, 0, 0)
        while let piece = try await pieces.next() {
            (total, largest) = (total + piece.count, max(largest, piece.count))
            highest = max(highest, try Self.residentBytes())
        }
        let risen = highest - before
        print(
            "\(Self.pageCount) pages of 600 dpi: \(total >> 20) MiB in bands of at most \(largest >> 10) KiB, +\(risen >> 20) MiB resident"
        )
        #expect(total > 2 * Self.risenMax, "else it shows nothing")
        #expect(risen < Self.risenMax)
        #expect(largest < 4 << 20)
    }

    /// The same bytes each time they are made: their count may be asked for before they are sent.
    @Test func theyAreTheSameEachTime() async throws {
        let pages = try Self.pages(2)
        var made: [[UInt8]] = []
        for _ in 0..<2 {
            var (pieces, bytes) = (try await Self.document(pages, copies: 2), [UInt8]())
            while let piece = try await pieces.next() { bytes += piece }
            made.append(bytes)
        }
        #expect(made[0] == made[1] && made[0].starts(with: Array("RaS2PwgRaster".utf8)))
        // Four pages, of which the third is the first again.
        let half = (made[0].count - 4) / 2
        #expect(made[0][4..<4 + half] == made[0][(4 + half)...])
    }

    /// What can't be drawn is found out before anything is sent.
    @Test func aPageThatIsNoneStopsTheBook() async throws {
        var pages = try Self.pages(3)
        let page = pages[1]
        let start = try await page.picture().prefix(300)
        pages[1] = PlannedPage(facts: page.facts, layout: page.layout, mark: nil) { Array(start) }
        let short = await Self.fault(pages)
        #expect(short == .unprintable)
        pages[1] = PlannedPage(facts: page.facts, layout: page.layout, mark: nil) { () throws(PrintPagesFault) in
            throw .gone
        }
        let gone = await Self.fault(pages)
        #expect(gone == .gone)
    }
}
