import ChilMedia
import Foundation

@testable import ChilPrint

/// A page of ours as it comes back: drawn by poppler, coloured, laid askew on the glass, and packed as scanners do.
struct ScannedPage {
    static let text = "c0001usqrmntog0abcdefghijk"

    /// A page with its mark, at so many dots per inch.
    var page: RenderedPage
    private let layout: PageLayout
    private let resolution: Int

    init(_ resolution: Int, paper: PaperName = .postcard, isLying: Bool = false) throws {
        let file = PagePicturesTests.drawing(isLying ? 45 : 30, isLying ? 30 : 45)
        let facts = try ImageProbe.facts(of: file)
        layout = PageLayout(of: facts, scale: .large, on: PaperTray(paper.size), hasMark: true)
        let drawn = DrawnPage(picture: file, facts: facts, layout: layout, mark: QRCode(Self.text))
        page = try RenderedPage(try PDFDocument.bytes(of: [drawn]), resolution: resolution)
        self.resolution = resolution
    }

    /// A crayon goes over modules of the mark: rows and columns of 25.
    mutating func paint(rows: Range<Int>, columns: Range<Int>, _ colour: [UInt8]) throws {
        guard let mark = layout.mark else { return }
        let module = mark.width / 25 * Double(resolution) / 72
        let left = mark.left * Double(resolution) / 72
        let top = (layout.pageHeight - mark.bottom - mark.height) * Double(resolution) / 72
        page = page.painted(
            Int(left + Double(columns.lowerBound) * module)..<Int(left + Double(columns.upperBound) * module),
            Int(top + Double(rows.lowerBound) * module)..<Int(top + Double(rows.upperBound) * module),
            colour
        )
    }

    /// - Parameter steps: of GraphicsMagick. Then as the reader is given it, by the same steps as in service.
    func picture(_ steps: [String], quality: Int) throws -> MarkPicture? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-scan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (page, scan, sample) = (folder.path + "/page.ppm", folder.path + "/scan.jpg", folder.path + "/sample.ppm")
        try Data(self.page.portablePixmap).write(to: URL(fileURLWithPath: page))
        _ = try RenderedPage.run(
            "gm",
            ["convert", page, "-background", "white"] + steps + ["-quality", "\(quality)", scan]
        )
        let side = "\(MarkPicture.sideMax)x\(MarkPicture.sideMax)"
        _ = try RenderedPage.run("gm", ["convert", "-size", side, scan, "-thumbnail", side + ">", sample])
        let read = try RenderedPage(portablePixmap: [UInt8](try Data(contentsOf: URL(fileURLWithPath: sample))))
        return MarkPicture(width: read.width, height: read.height, colours: read.samples)
    }

    func texts(_ steps: [String] = [], quality: Int = 85) throws -> [String] {
        try picture(steps, quality: quality).map { MarkReader.texts(in: $0) } ?? ["no picture"]
    }
}
