import ChilMedia
import ChilPrint
import Testing

struct PageFormatRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var formats: [String] = []
    var copiesMax: Int32?
    var pages = 1
    var copies = 1
    var type: MediaType?
    var leavesCopies = false

    static let (pdf, dots, jpeg) = ("application/pdf", "image/pwg-raster", "image/jpeg")

    static let all = [
        Self(testDescription: "nothing is known", type: .pdf),
        Self(testDescription: "PDF goes first", formats: [jpeg, dots, pdf], copiesMax: 99, copies: 3, type: .pdf),
        Self(testDescription: "then dots", formats: [jpeg, dots], type: .pwgRaster, leavesCopies: true),
        Self(testDescription: "dots in copies", formats: [dots], copies: 3, type: .pwgRaster),
        Self(
            testDescription: "dots, copies by the printer",
            formats: [dots],
            copiesMax: 3,
            copies: 3,
            type: .pwgRaster,
            leavesCopies: true
        ),
        Self(
            testDescription: "dots, too many copies for it",
            formats: [dots],
            copiesMax: 2,
            copies: 3,
            type: .pwgRaster
        ),
        Self(testDescription: "a picture", formats: [jpeg, "image/urf"], type: .jpeg, leavesCopies: true),
        Self(
            testDescription: "a picture, copies by the printer",
            formats: [jpeg],
            copiesMax: 9,
            copies: 9,
            type: .jpeg,
            leavesCopies: true
        ),
        Self(testDescription: "pictures alone are no book", formats: [jpeg], pages: 2),
        Self(testDescription: "a picture once", formats: [jpeg], copies: 2),
        Self(testDescription: "nothing that is made", formats: ["image/urf", "text/plain"]),
    ]
}

@Suite("Page format")
struct PageFormatTests {
    @Test(arguments: PageFormatRow.all) func takesTheBest(_ row: PageFormatRow) {
        var attributes = [IPPAttribute("document-format-supported", values: row.formats.map { .mimeMediaType($0) })]
        if let max = row.copiesMax {
            attributes.append(IPPAttribute("copies-supported", .range(lower: 1, upper: max)))
            attributes.append(IPPAttribute("job-creation-attributes-supported", .keyword("copies")))
        }
        let format = PageFormat(for: PaperTests.printer(attributes), pageCount: row.pages, copies: row.copies)
        #expect(format?.type == row.type && (format?.leavesCopies ?? false) == row.leavesCopies)
    }

    @Test(arguments: [
        ([300, 600], ["sgray_8", "srgb_8"], true, 300, true), ([600], ["sgray_8", "srgb_8"], false, 600, false),
        ([150, 180], ["srgb_8"], false, 180, true), ([], [], true, 300, false),
        ([1_200, 600], ["black_1", "sgray_8"], true, 600, false),
    ])
    func dotsAreThePrinters(_ dots: [Int32], _ types: [String], _ isColour: Bool, _ resolution: Int, _ inColour: Bool) {
        #expect(
            Self.form(dots, types, isColour) == RasterForm(resolution: resolution, isColour: inColour)
        )
    }

    @Test func dotsThatAreNoneOfOurs() {
        #expect(Self.form([300], ["black_1", "cmyk_8"], true) == nil)
        #expect(Self.form([9_600], ["srgb_8"], true) == nil)
    }

    static func form(_ dots: [Int32], _ types: [String], _ isColour: Bool) -> RasterForm? {
        var attributes: [IPPAttribute] = []
        if !dots.isEmpty {
            attributes.append(
                IPPAttribute(
                    "pwg-raster-document-resolution-supported",
                    values: dots.map { .resolution(across: $0, along: $0, units: 3) }
                )
            )
        }
        if !types.isEmpty {
            attributes.append(IPPAttribute("pwg-raster-document-type-supported", values: types.map { .keyword($0) }))
        }
        return RasterForm(for: PaperTests.printer(attributes), isColour: isColour)
    }
}
