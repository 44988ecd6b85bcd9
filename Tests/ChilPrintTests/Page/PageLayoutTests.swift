import ChilMedia
import ChilMediaTestSupport
import ChilPrint
import Testing

struct LayoutRow: Sendable, CustomTestStringConvertible {
    let name: String
    let width, height: Int
    let scale: PrintScale
    /// Left, bottom, width and height in points, to a tenth.
    let box: [Double]
    let isTurned: Bool

    var testDescription: String { name }

    static let all = [
        Self(
            name: "A4 at LARGE",
            width: 200,
            height: 287,
            scale: .large,
            box: [14.2, 14.2, 566.9, 813.5],
            isTurned: false
        ),
        Self(
            name: "square at LARGE",
            width: 9,
            height: 9,
            scale: .large,
            box: [14.2, 137.5, 566.9, 566.9],
            isTurned: false
        ),
        Self(
            name: "square at SMALL",
            width: 9,
            height: 9,
            scale: .small,
            box: [155.9, 279.2, 283.5, 283.5],
            isTurned: false
        ),
        Self(
            name: "square at MEDIUM",
            width: 9,
            height: 9,
            scale: .medium,
            box: [97.2, 220.5, 400.9, 400.9],
            isTurned: false
        ),
        Self(
            name: "lying at LARGE",
            width: 287,
            height: 200,
            scale: .large,
            box: [14.2, 14.2, 813.5, 566.9],
            isTurned: true
        ),
        Self(
            name: "strip",
            width: 30_000,
            height: 1,
            scale: .large,
            box: [14.2, 297.6, 813.5, 0.0],
            isTurned: true
        ),
        Self(
            name: "pole",
            width: 1,
            height: 30_000,
            scale: .small,
            box: [297.6, 217.6, 0.0, 406.8],
            isTurned: false
        ),
    ]
}

@Suite("Page layout")
struct PageLayoutTests {
    @Test(arguments: LayoutRow.all) func centresThePicture(_ row: LayoutRow) throws {
        let layout = PageLayout(of: try Self.facts(row.width, row.height), scale: row.scale)
        let box = layout.picture
        #expect(layout.isTurned == row.isTurned)
        for (value, expected) in zip([box.left, box.bottom, box.width, box.height], row.box) {
            #expect(abs(value - expected) < 0.06, "\(box)")
        }
        #expect(abs(2 * box.left + box.width - layout.pageWidth) < 0.001)
        #expect(abs(2 * box.bottom + box.height - layout.pageHeight) < 0.001)
    }

    @Test(arguments: PrintScale.allCases, [(200, 287), (287, 200), (9, 9), (10, 400), (400, 10), (3, 4)])
    func theMarkKeepsAway(_ scale: PrintScale, _ size: (Int, Int)) throws {
        for tray in [PaperTray(.a4), PaperTray(PaperName.letter.size), PaperTray(PaperName.postcard.size, Self.inkjet)]
        {
            let facts = try Self.facts(size.0, size.1)
            let layout = PageLayout(of: facts, scale: scale, on: tray, hasMark: true)
            let free = PageLayout(of: facts, scale: scale, on: tray)
            let (mark, box) = (try #require(layout.mark), layout.picture)
            let space = PageLayout.points(160)
            #expect(
                box.left + box.width <= mark.left - space + 0.001
                    || box.bottom >= mark.bottom + mark.height + space - 0.001
            )
            #expect(
                box.width <= free.picture.width + 0.001
                    && box.width * box.height >= free.picture.width * free.picture.height * 0.75
            )
            #expect(abs(box.width * Double(size.1) - box.height * Double(size.0)) < 0.01)
            #expect(free.mark == nil && mark.width == PageLayout.points(1_000))
            if scale == .small { #expect(box == free.picture) }
        }
    }

    /// Where the printer reaches less of one edge than of the other, what fills the sheet is moved; what is small is not.
    @Test(arguments: [false, true]) func marginsAreThePrinters(_ isTurned: Bool) throws {
        let facts = try isTurned ? Self.facts(300, 200) : Self.facts(200, 300)
        let tray = PaperTray(.a4, PaperTray.Margins(left: 300, top: 400, right: 600, bottom: 1_270))
        let large = PageLayout(of: facts, scale: .large, on: tray)
        let small = PageLayout(of: facts, scale: .small, on: tray)
        // Of a turned sheet the lower edge is at the left, and the right one below.
        let (left, bottom, right, top) = isTurned ? (1_270, 600, 400, 300) : (300, 1_270, 600, 400)
        let box = large.picture
        #expect(large.isTurned == isTurned)
        #expect(box.left >= PageLayout.points(left) - 0.001 && box.bottom >= PageLayout.points(bottom) - 0.001)
        #expect(large.pageWidth - box.left - box.width >= PageLayout.points(right) - 0.001)
        #expect(large.pageHeight - box.bottom - box.height >= PageLayout.points(top) - 0.001)
        let fillsWidth = abs(box.width - large.pageWidth + PageLayout.points(left + right)) < 0.001
        let fillsHeight = abs(box.height - large.pageHeight + PageLayout.points(top + bottom)) < 0.001
        #expect(fillsWidth || fillsHeight)
        #expect(abs(2 * small.picture.left + small.picture.width - small.pageWidth) < 0.001)
        #expect(abs(2 * small.picture.bottom + small.picture.height - small.pageHeight) < 0.001)
    }

    @Test func aSheetThatLiesIsNotTurned() throws {
        let lying = PaperTray(PaperSize(keyword: "", width: 14_800, height: 10_000))
        #expect(!PageLayout(of: try Self.facts(3, 2), scale: .large, on: lying).isTurned)
        #expect(!PageLayout(of: try Self.facts(2, 3), scale: .large, on: lying).isTurned)
    }

    static let inkjet = PaperTray.Margins(left: 300, top: 300, right: 300, bottom: 1_270)

    static func facts(_ width: Int, _ height: Int) throws -> ImageFacts {
        var header = PNGMaker(width: width, height: height) { _, _ in [0] }
        header.colourType = 0
        header.bitsPerSample = 1
        return try ImageProbe.facts(of: header.file())
    }

    @Test func namesAreTheContracts() {
        #expect(PrintScale.allCases.map(\.rawValue) == ["LARGE", "MEDIUM", "SMALL"])
        #expect(PrintScale(rawValue: "huge") == nil)
    }
}
