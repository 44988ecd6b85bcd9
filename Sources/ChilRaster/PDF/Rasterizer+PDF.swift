/// Pages of a PDF as pictures.
extension Rasterizer {
    package static let pdfDotsPerInch = 200
    /// A page of half a kilometre at 200 dpi would be a bomb: it gets fewer dots.
    package static let pdfSideMax = 4_096
    private static let pointsPerInch = 72.0

    package struct PDFPages: Hashable, Sendable {
        /// JPEG, in their order.
        package let images: [RasterImage]
        /// Of the document; pages beyond those asked for are not drawn.
        package let pageCount: Int
    }

    package func pageCount(ofPDF document: [UInt8]) async throws(RasterFault) -> Int {
        try await facts(ofPDF: document, first: 1, last: 1).pageCount
    }

    /// - Parameters:
    ///   - first: the first that is drawn, counted from 1.
    ///   - pagesMax: so many of them.
    package func pages(
        ofPDF document: [UInt8],
        from first: Int = 1,
        pagesMax: Int = 1
    ) async throws(RasterFault) -> PDFPages {
        let facts = try await facts(ofPDF: document, first: first, last: first + pagesMax - 1)
        var images: [RasterImage] = []
        for (index, page) in facts.pages.prefix(pagesMax).enumerated() {
            let inches = max(page.width, page.height) / Self.pointsPerInch
            let size =
                inches * Double(Self.pdfDotsPerInch) > Double(Self.pdfSideMax)
                ? ["-scale-to", "\(Self.pdfSideMax)"] : ["-r", "\(Self.pdfDotsPerInch)"]
            let number = "\(first + index)"
            let drawing = ["-f", number, "-l", number] + size + ["-jpeg", "-jpegopt", "quality=88", "-"]
            let image = try await run(programs.pdfToPixels, drawing, on: document)
            // It ends with status 0 when it could not read a page.
            guard image.starts(with: [0xFF, 0xD8]) else { throw .unreadable("page \(number) could not be drawn") }
            images.append(RasterImage(image, .jpeg))
        }
        return PDFPages(images: images, pageCount: facts.pageCount)
    }

    private func facts(ofPDF document: [UInt8], first: Int, last: Int) async throws(RasterFault) -> PDFFacts {
        guard document.starts(with: Array("%PDF-".utf8)) else { throw .unreadable("no PDF") }
        let said = try await run(programs.pdfInfo, ["-f", "\(first)", "-l", "\(last)", "-"], on: document)
        guard let facts = PDFFacts(said) else { throw .unreadable("pdfinfo says nothing of its pages") }
        return facts
    }
}
