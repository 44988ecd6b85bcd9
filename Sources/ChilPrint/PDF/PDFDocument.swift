package import ChilMedia

/// A document of one picture on a page, as many pages as copies are wanted.
///
/// The sheet is always upright, as printers are fed: a lying page is drawn turned and marked `/Rotate 90`, so that a
/// viewer shows it lying and a printer has nothing left to decide. Copies are pages, since many printers take PDF but no
/// `copies` attribute.
package enum PDFDocument {
    package static let copyCountMax = 99

    /// - Parameter picture: bytes that `ImageProbe` has accepted, with its `facts`.
    package static func bytes(
        picture: [UInt8],
        facts: ImageFacts,
        layout: PageLayout,
        copies: Int = 1
    ) throws(PDFFault) -> [UInt8] {
        guard (1...copyCountMax).contains(copies) else { throw .copyCount(max: copyCountMax) }
        let image = try PDFImage(picture: picture, facts: facts)
        let (catalog, pages, content, resource, firstPage) = (1, 2, 3, 4, 5)
        let sheetWidth = PageLayout.points(layout.paper.width)
        let sheetHeight = PageLayout.points(layout.paper.height)

        var placement = PDFMatrix.showing(facts.orientation).then(.onto(layout.picture))
        if layout.isLandscape { placement = placement.then(.turningOntoSheet(width: sheetWidth)) }

        var writer = PDFWriter(objectCount: 4 + copies, capacity: image.stream.count)
        writer.add(catalog, "<< /Type /Catalog /Pages \(pages) 0 R /ViewerPreferences << /PrintScaling /None >> >>")
        let kids = (0..<copies).map { "\(firstPage + $0) 0 R" }.joined(separator: " ")
        writer.add(pages, "<< /Type /Pages /Count \(copies) /Kids [\(kids)] >>")
        writer.add(content, "", stream: Array("q \(placement.operands) cm /P Do Q".utf8))
        writer.add(resource, image.dictionaryEntries, stream: image.stream)
        let box = "[0 0 \(PDFWriter.number(sheetWidth)) \(PDFWriter.number(sheetHeight))]"
        for page in firstPage..<firstPage + copies {
            writer.add(
                page,
                "<< /Type /Page /Parent \(pages) 0 R /MediaBox \(box)\(layout.isLandscape ? " /Rotate 90" : "")"
                    + " /Contents \(content) 0 R /Resources << /XObject << /P \(resource) 0 R >> >> >>"
            )
        }
        return writer.finish(root: catalog)
    }
}
