import ChilMedia
import Testing

@testable import ChilRaster

@Suite("Pages of a PDF")
struct PDFPageTests {
    /// Each page a grey rectangle; sizes in points.
    static func document(_ sizes: [(Int, Int)]) -> [UInt8] {
        var file = "%PDF-1.4\n"
        var offsets: [Int] = []
        func add(_ body: String) {
            offsets.append(file.utf8.count)
            file += "\(offsets.count) 0 obj\n\(body)\nendobj\n"
        }
        let kids = sizes.indices.map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
        add("<< /Type /Catalog /Pages 2 0 R >>")
        add("<< /Type /Pages /Kids [\(kids)] /Count \(sizes.count) >>")
        for (index, size) in sizes.enumerated() {
            add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(size.0) \(size.1)] /Contents \(4 + 2 * index) 0 R >>")
            let drawing = "0.5 g 10 10 \(size.0 / 2) \(size.1 / 2) re f"
            add("<< /Length \(drawing.utf8.count) >>\nstream\n\(drawing)\nendstream")
        }
        let start = file.utf8.count
        file += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            file += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        file += "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(file.utf8)
    }

    @Test func pagesAreDrawnAt200DotsPerInch() async throws {
        let document = Self.document([(360, 720), (72, 72), (72, 144)])
        let pages = try await RasterizerTests.rasterizer.pages(ofPDF: document, pagesMax: 2)
        #expect(pages.pageCount == 3)
        let sizes = try pages.images.map { try ImageProbe.facts(of: $0.bytes) }.map { [$0.width, $0.height] }
        #expect(sizes == [[1_000, 2_000], [200, 200]])
    }

    @Test func aHugePageGetsFewerDots() async throws {
        let pages = try await RasterizerTests.rasterizer.pages(ofPDF: Self.document([(14_400, 7_200)]))
        let facts = try ImageProbe.facts(of: pages.images[0].bytes)
        #expect([facts.width, facts.height] == [Rasterizer.pdfSideMax, Rasterizer.pdfSideMax / 2])
    }

    @Test(arguments: ["", "%PDF", "%PDF-1.4", "%PDF-1.4\ntrailer\n<< /Root 1 0 R >>\n%%EOF", "no document"])
    func whatIsNoDocumentIsRefused(_ text: String) async throws {
        await #expect { try await RasterizerTests.rasterizer.pages(ofPDF: Array(text.utf8)) } throws: {
            if case RasterFault.unreadable = $0 { true } else { false }
        }
    }

    @Test func everyCutEndsInPagesOrARefusal() async throws {
        let document = Self.document([(72, 72)])
        for count in stride(from: 5, to: document.count, by: 97) {
            do {
                let pages = try await RasterizerTests.rasterizer.pages(ofPDF: Array(document[..<count]))
                #expect(pages.images.count == 1)
            } catch RasterFault.unreadable {}
        }
    }
}
