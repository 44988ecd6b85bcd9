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
    let isLandscape: Bool

    var testDescription: String { name }

    static let all = [
        Self(
            name: "A4 at LARGE",
            width: 200,
            height: 287,
            scale: .large,
            box: [14.2, 14.2, 566.9, 813.5],
            isLandscape: false
        ),
        Self(
            name: "square at LARGE",
            width: 9,
            height: 9,
            scale: .large,
            box: [14.2, 137.5, 566.9, 566.9],
            isLandscape: false
        ),
        Self(
            name: "square at SMALL",
            width: 9,
            height: 9,
            scale: .small,
            box: [155.9, 279.2, 283.5, 283.5],
            isLandscape: false
        ),
        Self(
            name: "square at MEDIUM",
            width: 9,
            height: 9,
            scale: .medium,
            box: [97.2, 220.5, 400.9, 400.9],
            isLandscape: false
        ),
        Self(
            name: "lying at LARGE",
            width: 287,
            height: 200,
            scale: .large,
            box: [14.2, 14.2, 813.5, 566.9],
            isLandscape: true
        ),
        Self(
            name: "strip",
            width: 30_000,
            height: 1,
            scale: .large,
            box: [14.2, 297.6, 813.5, 0.0],
            isLandscape: true
        ),
        Self(
            name: "pole",
            width: 1,
            height: 30_000,
            scale: .small,
            box: [297.6, 217.6, 0.0, 406.8],
            isLandscape: false
        ),
    ]
}

@Suite("Page layout")
struct PageLayoutTests {
    @Test(arguments: LayoutRow.all) func centresThePicture(_ row: LayoutRow) throws {
        var header = PNGMaker(width: row.width, height: row.height) { _, _ in [0] }
        header.colourType = 0
        header.bitsPerSample = 1
        let layout = PageLayout(of: try ImageProbe.facts(of: header.file()), scale: row.scale)
        let box = layout.picture
        #expect(layout.isLandscape == row.isLandscape)
        for (value, expected) in zip([box.left, box.bottom, box.width, box.height], row.box) {
            #expect(abs(value - expected) < 0.06, "\(box)")
        }
        #expect(abs(2 * box.left + box.width - layout.pageWidth) < 0.001)
        #expect(abs(2 * box.bottom + box.height - layout.pageHeight) < 0.001)
    }

    @Test func namesAreTheContracts() {
        #expect(PrintScale.allCases.map(\.rawValue) == ["LARGE", "MEDIUM", "SMALL"])
        #expect(PrintScale(rawValue: "huge") == nil)
    }
}
