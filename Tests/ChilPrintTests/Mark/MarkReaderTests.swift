import Testing

@testable import ChilPrint

/// Pages of ours that were scanned are read by our reader, whatever happened to them.
@Suite("Reader of marks", .serialized)
struct MarkReaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var resolution = 200
        var paper = PaperName.postcard
        var isLying = false
        var steps: [String] = []
        var quality = 85
        /// Rows, columns and colour of what is painted over the mark.
        var paint: [(Range<Int>, Range<Int>, [UInt8])] = []

        init(_ name: String, _ change: (inout Row) -> Void = { _ in }) {
            testDescription = name
            change(&self)
        }

        static let turns = [0, 90, 180, 270, 3, -4, 30, 45, 100, 183, 262].map { angle in
            Row("turned by \(angle)°") { $0.steps = ["-rotate", "\(angle)"] }
        }
        static let resolutions =
            [(150, 2), (300, 91), (600, 178)].map { resolution, angle in
                Row("\(resolution) dpi") { ($0.resolution, $0.steps) = (resolution, ["-rotate", "\(angle)"]) }
            } + [
                Row("A4 at 150 dpi") { ($0.resolution, $0.paper) = (150, .a4) },
                Row("A4 at 400 dpi, lying") { ($0.resolution, $0.paper, $0.isLying) = (400, .a4, true) },
            ]
        static let troubles = [
            Row("a poor JPEG") { $0.quality = 20 },
            Row("out of focus") { $0.steps = ["-blur", "0x1.2"] },
            Row("noise") { ($0.steps, $0.quality) = (["+noise", "Gaussian", "-rotate", "2"], 60) },
            Row("pale ink") { $0.steps = ["-gamma", "2.5"] },
            Row("yellowed paper") { $0.steps = ["-recolor", "0.8,0,0,0,0.7,0,0,0,0.5"] },
            Row("a dark edge") { $0.steps = ["-bordercolor", "black", "-border", "40x40", "-rotate", "-3"] },
            Row("red crayon all over it") { $0.paint = [(-2..<27, -2..<27, [230, 40, 40])] },
            Row("blue and green stripes") {
                $0.paint = [(3..<9, -1..<26, [30, 60, 220]), (14..<20, -1..<26, [40, 180, 60])]
            },
            Row("a black spot") { $0.paint = [(13..<18, 10..<16, [20, 20, 20])] },
            Row("a brown line") { $0.paint = [(20..<22, 9..<25, [110, 60, 30])] },
        ]
    }

    @Test(arguments: Row.turns + Row.resolutions + Row.troubles) func isRead(_ row: Row) throws {
        var page = try ScannedPage(row.resolution, paper: row.paper, isLying: row.isLying)
        for (rows, columns, colour) in row.paint { try page.paint(rows: rows, columns: columns, colour) }
        #expect(try page.texts(row.steps, quality: row.quality) == [ScannedPage.text])
    }

    /// What can't be read is not read as something else.
    static let lost = [
        Row("half of it black") { $0.paint = [(0..<25, 9..<25, [0, 0, 0])] },
        Row("a corner painted over") { $0.paint = [(-2..<8, -2..<8, [10, 10, 10])] },
        Row("a mirror's") { $0.steps = ["-flop"] },
        Row("72 dpi") { $0.resolution = 50 },
        Row("nothing but paper") {
            $0.paint = [(-400..<30, -300..<30, [250, 250, 250])]; $0.steps = ["-negate"]
        },
    ]

    @Test(arguments: lost) func isNotRead(_ row: Row) throws {
        var page = try ScannedPage(row.resolution, paper: row.paper)
        for (rows, columns, colour) in row.paint { try page.paint(rows: rows, columns: columns, colour) }
        #expect(try page.texts(row.steps, quality: row.quality) == [])
    }

    @Test func everyLengthAndMaskIsRead() throws {
        for count in 0...26 {
            let text = String((0..<count).map { Character(Unicode.Scalar(UInt8(33 + ($0 * 7 + count * 5) % 90))) })
            let version = QRCode.Reading.version
            let data = [0x40 | UInt8(count >> 4)] + Self.halves(text, UInt8(count & 15))
            let filled = data + [UInt8](repeating: 0xEC, count: version.dataCount - data.count)
            let code = QRCode(data: filled, version: version, mask: count % 8)
            #expect(QRCode.Reading.text { code[$0, $1] } == text)
            #expect(QRCode.Reading.text { code.turnedLeft[$0, $1] } != text)
        }
    }

    private static func halves(_ text: String, _ first: UInt8) -> [UInt8] {
        var (bytes, carry) = ([UInt8](), first)
        for byte in text.utf8 {
            bytes.append(carry << 4 | byte >> 4)
            carry = byte & 15
        }
        return bytes + [carry << 4]
    }

    @Test func twoPagesAreTwo() throws {
        let size = 900
        var colours = [UInt8](repeating: 255, count: size * size * 3)
        for (text, left, top) in [("first-page", 60, 60), ("second-page", 500, 610)] {
            Self.draw(
                try #require(QRCode(text + String(repeating: "-", count: 26 - text.count))),
                left,
                top,
                &colours,
                size
            )
        }
        let picture = try #require(MarkPicture(width: size, height: size, colours: colours))
        #expect(Set(MarkReader.texts(in: picture).map { $0.prefix(6) }) == ["first-", "second"])
    }

    private static func draw(_ code: QRCode, _ left: Int, _ top: Int, _ colours: inout [UInt8], _ size: Int) {
        for row in 0..<code.side * 4 {
            for column in 0..<code.side * 4 where code[row / 4, column / 4] {
                for channel in 0..<3 { colours[((top + row) * size + left + column) * 3 + channel] = 0 }
            }
        }
    }

    /// Pictures that are made to keep a reader busy: it looks at so many places and no more.
    @Test(arguments: ["corners", "stripes", "noise", "black", "one pixel"]) func hostilePicturesEnd(_ kind: String)
        throws
    {
        let size = kind == "one pixel" ? 1 : 1_000
        var numbers = SeededNumbers(seed: 5)
        var colours = [UInt8](repeating: kind == "black" ? 0 : 255, count: size * size * 3)
        for row in 0..<size {
            for column in 0..<size {
                let isDark: Bool
                switch kind {
                case "corners":
                    let ring = max(abs(row / 3 % 9 - 4), abs(column / 3 % 9 - 4))
                    isDark = ring < 2 || ring == 3
                case "stripes": isDark = [0, 2, 3, 4, 6].contains(column / 2 % 8)
                case "noise": isDark = Bool.random(using: &numbers)
                default: continue
                }
                guard isDark else { continue }
                for channel in 0..<3 { colours[(row * size + column) * 3 + channel] = 0 }
            }
        }
        let picture = try #require(MarkPicture(width: size, height: size, colours: colours))
        #expect(MarkFinder.corners(in: picture).count <= MarkFinder.keptMax)
        #expect(MarkReader.texts(in: picture) == [])
    }

    @Test func picturesThatAreNoneAreRefused() {
        #expect(MarkPicture(width: 0, height: 4, colours: []) == nil)
        #expect(MarkPicture(width: -1, height: -1, colours: [1, 2, 3]) == nil)
        #expect(MarkPicture(width: 2, height: 2, colours: [UInt8](repeating: 0, count: 11)) == nil)
        #expect(MarkPicture(width: 2_801, height: 1, colours: [UInt8](repeating: 0, count: 8_403)) == nil)
        #expect(MarkPicture(width: .max, height: .max, colours: []) == nil)
    }
}
