import ChilMedia
import ChilMediaTestSupport
import ChilPrint
import Foundation
import Testing

/// Pages as poppler draws them at 100 dots per inch, looked at dot by dot. With CHIL_KEEP_PAGES=FOLDER they stay there.
@Suite("Pictures of pages")
struct PagePicturesTests {
    static let resolution = 100
    static let papers: [PaperName] = [.a4, .letter, .postcard]

    @Test(arguments: PrintScale.allCases, [false, true])
    func theBoxIsWhereItMustBe(_ scale: PrintScale, _ isLying: Bool) throws {
        for paper in Self.papers {
            for hasMark in [false, true] {
                let file = Self.drawing(isLying ? 450 : 300, isLying ? 300 : 450)
                let facts = try ImageProbe.facts(of: file)
                let layout = PageLayout(of: facts, scale: scale, on: PaperTray(paper.size), hasMark: hasMark)
                let text = "c1ab2cd3ef4gh5i0jklmnopq"
                let drawn = DrawnPage(picture: file, facts: facts, layout: layout, mark: hasMark ? QRCode(text) : nil)
                let document = try PDFDocument.bytes(of: [drawn])
                let name =
                    "\(paper.rawValue)-\(scale.rawValue.lowercased())-\(isLying ? "lying" : "upright")"
                    + (hasMark ? "-marked" : "")
                let page = try Self.rendered(document, name)
                let dots = Double(Self.resolution) / 72
                #expect(abs(Double(page.width) - layout.pageWidth * dots) <= 1, "\(name)")
                #expect(abs(Double(page.height) - layout.pageHeight * dots) <= 1, "\(name)")
                #expect(layout.isTurned == isLying && (page.width > page.height) == isLying, "\(name)")
                // The picture has a dark frame: its outermost dots are where the box is.
                let box = layout.picture
                let top = layout.pageHeight - box.bottom - box.height
                let ink = page.ink(outside: hasMark ? layout.mark : nil, of: layout, Self.resolution)
                for (value, expected) in zip(ink, [box.left, top, box.left + box.width, top + box.height]) {
                    #expect(abs(Double(value) - expected * dots) <= 1.5, "\(name): \(ink)")
                }
                // Orientation: red above left, as it was drawn.
                let spot = page[Int((box.left + box.width * 0.2) * dots), Int((top + box.height * 0.2) * dots)]
                #expect(spot.red > 200 && spot.green < 60 && spot.blue < 60, "\(name): \(spot)")
                // The margins are white, the mark included.
                let edge = Int(PageLayout.points(500) * dots) - 1
                #expect(page.isWhite(outside: edge), "\(name)")
                if hasMark { #expect(try Self.mark(of: document) == text, "\(name)") }
            }
        }
    }

    /// Each shown upright, whatever way its rows are stored.
    @Test(arguments: 1...8) func orientationIsThePictures(_ orientation: UInt8) throws {
        let row = try #require(PictureRow.all.first { $0.name == "JPEG, orientation \(orientation)" })
        let facts = try ImageProbe.facts(of: row.file)
        let layout = PageLayout(of: facts, scale: .large, on: PaperTray(PaperName.letter.size), hasMark: true)
        let drawn = DrawnPage(picture: row.file, facts: facts, layout: layout, mark: QRCode("c1"))
        let document = try PDFDocument.bytes(of: [drawn])
        let page = try Self.rendered(document, "letter-exif-\(orientation)")
        #expect(!layout.isTurned && page.width < page.height)
        let dots = Double(Self.resolution) / 72
        let box = layout.picture
        let spot = page[
            Int((box.left + box.width / 4) * dots),
            Int((layout.pageHeight - box.bottom - box.height * 0.75) * dots)
        ]
        #expect(abs(Int(spot.red) - 220) < 4 && abs(Int(spot.green) - 20) < 4)
        #expect(try Self.mark(of: document) == "c1")
    }

    @Test func aBookIsAPageEach() throws {
        let files = [Self.drawing(30, 45), Self.drawing(45, 30), Self.drawing(20, 20)]
        let pages = try files.enumerated().map { index, file in
            let facts = try ImageProbe.facts(of: file)
            return DrawnPage(
                picture: file,
                facts: facts,
                layout: PageLayout(of: facts, scale: .medium, hasMark: true),
                mark: QRCode("page \(index)")
            )
        }
        let document = try PDFDocument.bytes(of: pages, copies: 2)
        // A copy is complete before the next begins, and shares its pictures.
        #expect(document.count < (try PDFDocument.bytes(of: pages)).count + 1_000)
        for number in 1...6 {
            #expect(try Self.mark(of: document, page: number) == "page \((number - 1) % 3)")
            let page = try RenderedPage(document, resolution: 20, page: number)
            #expect((page.width > page.height) == (number % 3 == 2))
        }
    }

    /// A page of lines and colours: a frame, red above left, blue below right.
    static func drawing(_ width: Int, _ height: Int) -> [UInt8] {
        PNGMaker(width: width, height: height) { x, y in
            let edge = max(1, width / 50)
            if x < edge || y < edge || x >= width - edge || y >= height - edge { return [0, 0, 0] }
            if x * 2 < width, y * 2 < height { return [230, 30, 30] }
            if x * 2 > width, y * 2 > height { return [30, 30, 230] }
            return [250, 250, 250]
        }.file()
    }

    private static func mark(of document: [UInt8], page: Int = 1) throws -> String {
        let picture = try RenderedPage(document, resolution: 200, page: page)
        return try ReadMark.text(ofPicture: picture.portablePixmap, "ppm")
    }

    static func rendered(_ document: [UInt8], _ name: String) throws -> RenderedPage {
        let page = try RenderedPage(document, resolution: resolution)
        if let folder = ProcessInfo.processInfo.environment["CHIL_KEEP_PAGES"], !folder.isEmpty {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let file = "\(folder)/\(name).pdf"
            try Data(document).write(to: URL(fileURLWithPath: file))
            _ = try RenderedPage.run(
                "pdftoppm",
                ["-png", "-r", "\(resolution)", "-singlefile", file, "\(folder)/\(name)"]
            )
        }
        return page
    }
}

extension RenderedPage {
    var portablePixmap: [UInt8] { Array("P6\n\(width) \(height)\n255\n".utf8) + samples }

    /// Left, top, right and bottom of what is not white, the mark left out.
    fileprivate func ink(outside mark: PageLayout.Box?, of layout: PageLayout, _ resolution: Int) -> [Int] {
        let dots = Double(resolution) / 72
        var (left, top, right, bottom) = (width, height, -1, -1)
        for row in 0..<height {
            for column in 0..<width where self[column, row] != Pixel(red: 255, green: 255, blue: 255) {
                if let mark, Double(column + 1) >= mark.left * dots - 1,
                    Double(row + 1) >= (layout.pageHeight - mark.bottom - mark.height) * dots - 1
                {
                    continue
                }
                (left, right) = (min(left, column), max(right, column))
                (top, bottom) = (min(top, row), max(bottom, row))
            }
        }
        return [left, top, right, bottom]
    }

    fileprivate func isWhite(outside edge: Int) -> Bool {
        let ink = ink
        return ink[0] >= edge && ink[1] >= edge && ink[2] < width - edge && ink[3] < height - edge
    }
}
