import ChilPrint
import Testing

struct PaperRow: Sendable, CustomTestStringConvertible {
    let name: PaperName
    let keyword: String
    let width, height: Int
    let v1, v2: String

    var testDescription: String { keyword }

    init(_ name: PaperName, _ keyword: String, _ width: Int, _ height: Int, _ v1: String, _ v2: String) {
        (self.name, self.keyword, self.width, self.height, self.v1, self.v2) = (name, keyword, width, height, v1, v2)
    }

    static let all = [
        Self(.a4, "iso_a4_210x297mm", 21_000, 29_700, "ms_a4", "ps_a4"),
        Self(.a5, "iso_a5_148x210mm", 14_800, 21_000, "ms_a5", "ps_a5"),
        Self(.a6, "iso_a6_105x148mm", 10_500, 14_800, "ms_a6", "ps_a6"),
        Self(.b5, "jis_b5_182x257mm", 18_200, 25_700, "ms_b5", "ps_b5"),
        Self(.a3, "iso_a3_297x420mm", 29_700, 42_000, "ms_a3", "ps_a3"),
        Self(.letter, "na_letter_8.5x11in", 21_590, 27_940, "ms_letter", "ps_letter"),
        Self(.legal, "na_legal_8.5x14in", 21_590, 35_560, "ms_legal", "ps_legal"),
        Self(.photo4x6, "na_index-4x6_4x6in", 10_160, 15_240, "ms_kg", "ps_kg"),
        Self(.photoL, "oe_photo-l_3.5x5in", 8_890, 12_700, "ms_l", "ps_l"),
        Self(.photo5x7, "na_5x7_5x7in", 12_700, 17_780, "ms_2l", "ps_2l"),
        Self(.postcard, "jpn_hagaki_100x148mm", 10_000, 14_800, "ms_postcard", "ps_postcard"),
    ]
}

struct PaperChoiceRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var wanted: PaperName?
    var usual: PaperName?
    var ready: [String] = []
    var supported: [String] = []
    let paper: String
    var isSubstituted = false

    static let (a4, a5, b5) = ("iso_a4_210x297mm", "iso_a5_148x210mm", "jis_b5_182x257mm")
    static let (letter, photo) = ("na_letter_8.5x11in", "na_index-4x6_4x6in")

    static let all = [
        Self(testDescription: "nothing is known", paper: a4),
        Self(testDescription: "nothing but a wish", wanted: .b5, paper: b5),
        Self(testDescription: "nothing but the tenant's own", usual: .letter, paper: letter),
        Self(testDescription: "the wish is loaded", wanted: .a5, usual: .a4, ready: [a4, a5], paper: a5),
        Self(
            testDescription: "the wish is not loaded",
            wanted: .b5,
            ready: [a4, a5],
            supported: [b5],
            paper: a4,
            isSubstituted: true
        ),
        Self(
            testDescription: "of what is loaded, the tenant's own",
            wanted: .b5,
            usual: .a5,
            ready: [a4, a5],
            paper: a5,
            isSubstituted: true
        ),
        Self(testDescription: "of what is loaded, A4", usual: .b5, ready: [photo, a4], paper: a4),
        Self(testDescription: "whatever is loaded", usual: .a4, ready: [photo], paper: photo),
        Self(
            testDescription: "an envelope, if nothing else",
            ready: ["na_number-10_4.125x9.5in"],
            paper: "na_number-10_4.125x9.5in"
        ),
        Self(testDescription: "the wish is supported", wanted: .b5, supported: [a4, b5], paper: b5),
        Self(
            testDescription: "the wish is not supported",
            wanted: .b5,
            supported: [letter, a4],
            paper: a4,
            isSubstituted: true
        ),
        Self(testDescription: "the tenant's own is supported", usual: .letter, supported: [a4, letter], paper: letter),
        Self(
            testDescription: "neither the tenant's own nor A4",
            usual: .b5,
            supported: ["custom_min_3x5in", photo],
            paper: photo
        ),
        Self(testDescription: "nonsense is loaded", wanted: .a5, ready: ["", "a4", "main", "x_y_1x1mm"], paper: a5),
        Self(
            testDescription: "nonsense is supported",
            wanted: .a5,
            supported: ["custom_max_8.5x14in", "é_é_éxémm"],
            paper: a5
        ),
    ]
}

@Suite("Paper")
struct PaperTests {
    @Test(arguments: PaperRow.all) func theTableIsTheStandards(_ row: PaperRow) {
        #expect(row.name.size == PaperSize(keyword: row.keyword, width: row.width, height: row.height))
        #expect(row.name.epsonV1 == row.v1 && row.name.epsonV2 == row.v2)
        #expect(PaperName(epsonV1: row.v1) == row.name && PaperName(epsonV2: row.v2) == row.name)
        #expect(PaperName(row.name.size) == row.name)
        #expect(PaperSize(keyword: row.keyword) == row.name.size)
    }

    @Test func everyPaperHasARow() {
        #expect(Set(PaperRow.all.map(\.name)) == Set(PaperName.allCases))
        #expect(
            PaperName(rawValue: "4x6") == .photo4x6 && PaperName(rawValue: "A4") == nil
                && PaperName(rawValue: "") == nil
        )
    }

    @Test(arguments: [
        "", "_", "a4", "iso_a4", "iso_a4_210x297", "iso_a4_210x297cm", "iso_a4_x297mm", "iso_a4_210xmm",
        "iso_a4_210x297x3mm",
        "iso_a4_-210x297mm", "iso_a4_1e9x1mm", "iso_a4_nanxinfmm", "iso_a4_0x0mm", "iso_a4_9999999999999999999999x1in",
        "custom_min_76.2x127mm", "custom_max_215.9x355.6mm", "roll_max_8x100in", "iso_a4_2.1.0x297mm",
        "iso_" + String(repeating: "a", count: 300) + "_210x297mm",
    ])
    func otherWordsAreNoSize(_ word: String) {
        #expect(PaperSize(keyword: word) == nil)
    }

    @Test(arguments: PaperChoiceRow.all) func choosesWhatIsThere(_ row: PaperChoiceRow) {
        let trays = row.ready.compactMap { PaperSize(keyword: $0) }.map { PaperTray($0) }
        let choice = PaperChoice(wanted: row.wanted, usual: row.usual, trays: trays, supported: row.supported)
        #expect(choice.tray.paper.keyword == row.paper && choice.isSubstituted == row.isSubstituted)
    }

    @Test func traysAreThePrintersWord() {
        let printer = Self.printer([
            IPPAttribute(
                "media-col-ready",
                Self.sheet(21_000, 29_700, [0, 0, 0, 0]),
                Self.sheet(21_000, 29_700, [300, 300, 300, 1_270]),
                Self.sheet(10_000, 14_800, [0, 0, 0, 0]),
                // Margins that leave hardly anything, and a size that is none.
                Self.sheet(14_800, 21_000, [7_000, 7_000, 10, 10]),
                Self.sheet(5, 5, [1, 1, 1, 1]),
                Self.sheet(21_010, 29_690, [500, 500, 500, 500])
            ),
            IPPAttribute(
                "media-ready",
                .keyword("iso_a4_210x297mm"),
                .keyword("na_letter_8.5x11in"),
                .keyword("tray-2")
            ),
        ])
        #expect(
            printer.trays == [
                PaperTray(.a4, PaperTray.Margins(left: 300, top: 300, right: 300, bottom: 1_270)),
                PaperTray(PaperName.postcard.size), PaperTray(PaperName.a5.size), PaperTray(PaperName.letter.size),
            ]
        )
        #expect(Self.printer([]).trays.isEmpty)
    }

    @Test func thePapersOfScales() {
        #expect(PrintScale.allCases.map { PageFit.paper.paper(of: $0) } == [.a4, .b5, .a5])
        #expect(PrintScale.allCases.allSatisfy { PageFit.page.paper(of: $0) == nil })
    }

    static func printer(_ attributes: [IPPAttribute]) -> PrinterSnapshot {
        PrinterSnapshot(IPPMessage.Group(.printer, attributes))
    }

    /// Margins: left, top, right, bottom.
    static func sheet(_ width: Int32, _ height: Int32, _ margins: [Int32]) -> IPPValue {
        .collection(
            [
                IPPAttribute(
                    "media-size",
                    .collection([
                        IPPAttribute("x-dimension", .integer(width)), IPPAttribute("y-dimension", .integer(height)),
                    ])
                )
            ]
                + zip(["left", "top", "right", "bottom"], margins).map {
                    IPPAttribute("media-\($0)-margin", .integer($1))
                }
        )
    }
}
