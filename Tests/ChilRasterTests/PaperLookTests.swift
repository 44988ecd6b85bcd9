import Testing

@testable import ChilRaster

@Suite("What is seen on a scanned page")
struct PaperLookTests {
    /// A page of one colour with marks on it.
    struct Page: Sendable, CustomTestStringConvertible {
        let name: String
        var width = 200
        var height = 256
        var paper: [UInt8] = [225, 215, 190]
        var marks: [(x: Range<Int>, y: Range<Int>, colour: [UInt8])] = []
        let expectedPaper: [Int]?
        /// x, y, width, height; `nil`: the whole page.
        let expectedBox: [Int]?
        var testDescription: String { name }

        var sample: PixelSample? {
            var bytes: [UInt8] = []
            for y in 0..<height {
                for x in 0..<width {
                    bytes += marks.last { $0.x.contains(x) && $0.y.contains(y) }?.colour ?? paper
                }
            }
            return PixelSample(width: width, height: height, bytes: bytes)
        }
    }

    static let pages = [
        Page(name: "an empty page stays whole", expectedPaper: [225, 215, 190], expectedBox: nil),
        Page(
            name: "a drawing is cut out with a margin",
            marks: [(50..<150, 60..<200, [20, 20, 20])],
            expectedPaper: [225, 215, 190],
            expectedBox: [43, 53, 114, 154]
        ),
        Page(
            name: "pale colour is ink too",
            paper: [250, 250, 250],
            marks: [(50..<150, 60..<200, [250, 250, 200])],
            expectedPaper: [250, 250, 250],
            expectedBox: [43, 53, 114, 154]
        ),
        Page(
            name: "dust is none",
            marks: [(50..<150, 60..<200, [20, 20, 20]), (10..<11, 10..<11, [0, 0, 0])],
            expectedPaper: [225, 215, 190],
            expectedBox: [43, 53, 114, 154]
        ),
        Page(
            name: "a spot is no drawing",
            marks: [(90..<100, 90..<100, [0, 0, 0])],
            expectedPaper: [225, 215, 190],
            expectedBox: nil
        ),
        Page(
            name: "the shadow of the lid is none",
            marks: [(0..<200, 0..<4, [60, 60, 60]), (50..<150, 60..<200, [20, 20, 20])],
            expectedPaper: [225, 215, 190],
            expectedBox: [43, 53, 114, 154]
        ),
        Page(name: "a black picture has no paper", paper: [10, 10, 10], expectedPaper: nil, expectedBox: nil),
        Page(
            name: "a page painted over but for a tenth",
            marks: [(0..<200, 26..<256, [200, 40, 40])],
            expectedPaper: [225, 215, 190],
            expectedBox: [0, 19, 200, 237]
        ),
        Page(name: "one pixel", width: 1, height: 1, expectedPaper: [225, 215, 190], expectedBox: nil),
        Page(name: "one column", width: 1, height: 250, expectedPaper: [225, 215, 190], expectedBox: nil),
    ]

    @Test(arguments: pages)
    func isSeen(_ page: Page) throws {
        let look = PaperLook(try #require(page.sample))
        #expect(look.paper == page.expectedPaper)
        let box = look.box.isWhole ? nil : [look.box.x, look.box.y, look.box.width, look.box.height]
        #expect(box == page.expectedBox)
    }

    @Test func paperIsMadeWhiteByChannel() throws {
        let look = PaperLook(try #require(Self.pages[0].sample))
        #expect(look.whitening == "1.120,0,0,0,1.172,0,0,0,1.326")
        let white = Page(name: "", paper: [252, 253, 254], expectedPaper: nil, expectedBox: nil)
        #expect(PaperLook(try #require(white.sample)).whitening == nil)
        #expect(PaperLook(try #require(Self.pages[6].sample)).whitening == nil)
    }

    @Test func aBoxIsScaledOutwards() {
        let box = PixelBox(x: 43, y: 53, width: 114, height: 154, wholeWidth: 200, wholeHeight: 256)
        let scaled = box.scaled(toWidth: 2_000, height: 2_560)
        #expect(scaled.map { [$0.x, $0.y, $0.width, $0.height] } == [430, 530, 1_140, 1_540])
        let odd = box.scaled(toWidth: 333, height: 427)
        #expect(odd.map { [$0.x, $0.y, $0.width, $0.height] } == [71, 88, 191, 258])
        #expect(PixelBox.whole(200, 256).scaled(toWidth: 2_000, height: 2_560) == nil)
    }

    @Test(arguments: [
        "", "P6", "P6\n", "P6\n2 2\n255", "P6\n2 2\n255\n", "P5\n1 1\n255\nabc", "P6\n1 1\n65535\nabcdef",
        "P6\n-1 1\n255\nabc",
        "P6\n99999999 99999999\n255\nabc", "P6\n0 1\n255\n", "P6\n1 1\n255\nab", "P6\n1 1\n255\nabcd",
    ])
    func noSampleOfWhatIsNone(_ file: String) {
        #expect(PixelSample(portablePixmap: Array(file.utf8)) == nil)
    }

    @Test func aSampleIsRead() {
        #expect(PixelSample(portablePixmap: Array("P6\n1 1\n255\nabc".utf8))?.bytes == Array("abc".utf8))
    }

    @Test(arguments: [
        ("Pages: 2\nPage    1 size: 595.276 x 841.89 pts (A4)\n", 2, 1),
        ("Title: Pages: 9\nPages: 1\nPage 1 size: 1 x 2 pts\nPage 1 rot: 0\n", 1, 1),
        ("Pages: 0\nPage 1 size: 1 x 2 pts\n", 0, 0), ("Pages: 1\n", 0, 0), ("", 0, 0),
        ("Pages: 1\nPage 1 size: 0 x 2 pts\n", 0, 0), ("Pages: 1\nPage 1 size: nan x 2 pts\n", 0, 0),
        ("Pages: 1\nPage 1 size: 1 x 2 pts\nPage 2 size: 1 x 2 pts\n", 0, 0),
    ])
    func factsOfADocument(_ said: String, _ count: Int, _ pages: Int) {
        let facts = PDFFacts(Array(said.utf8))
        #expect(facts?.pageCount ?? 0 == count)
        #expect(facts?.pages.count ?? 0 == pages)
    }
}
