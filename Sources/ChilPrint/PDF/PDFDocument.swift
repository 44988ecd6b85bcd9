import ChilMedia

/// A document of pictures, a page each, as often as copies are wanted: first all pages, then all again.
///
/// The sheet is always upright, as printers are fed: a lying page is drawn turned and marked `/Rotate 90`, so that a
/// viewer shows it lying and a printer has nothing left to decide. Copies are pages that share their pictures, for printers
/// that take PDF but no `copies` attribute.
package enum PDFDocument {
    package static let copyCountMax = 99

    /// - Parameter pages: one at least.
    package static func bytes(of pages: [DrawnPage], copies: Int = 1) throws(PDFFault) -> [UInt8] {
        guard (1...copyCountMax).contains(copies) else { throw .copyCount(max: copyCountMax) }
        var images: [PDFImage] = []
        for page in pages { images.append(try PDFImage(picture: page.picture, facts: page.facts)) }
        // Catalogue, tree, then of each page its content and its picture, then the pages.
        let (catalog, tree, first) = (1, 2, 3 + 2 * pages.count)
        let count = pages.count * copies
        var writer = PDFWriter(
            objectCount: first - 1 + count,
            capacity: images.reduce(0) { $0 + $1.stream.count }
        )
        writer.add(catalog, "<< /Type /Catalog /Pages \(tree) 0 R /ViewerPreferences << /PrintScaling /None >> >>")
        let kids = (0..<count).map { "\(first + $0) 0 R" }.joined(separator: " ")
        writer.add(tree, "<< /Type /Pages /Count \(count) /Kids [\(kids)] >>")
        for (index, page) in pages.enumerated() {
            writer.add(3 + 2 * index, "", stream: Array(content(of: page).utf8))
            writer.add(4 + 2 * index, images[index].dictionaryEntries, stream: images[index].stream)
        }
        for number in 0..<count {
            let index = number % pages.count
            let layout = pages[index].layout
            let (width, height) = sheet(layout)
            let box = "[0 0 \(PDFWriter.number(width)) \(PDFWriter.number(height))]"
            writer.add(
                first + number,
                "<< /Type /Page /Parent \(tree) 0 R /MediaBox \(box)\(layout.isTurned ? " /Rotate 90" : "")"
                    + " /Contents \(3 + 2 * index) 0 R /Resources << /XObject << /P \(4 + 2 * index) 0 R >> >> >>"
            )
        }
        return writer.finish(root: catalog)
    }

    private static func sheet(_ layout: PageLayout) -> (width: Double, height: Double) {
        (PageLayout.points(layout.tray.paper.width), PageLayout.points(layout.tray.paper.height))
    }

    private static func content(of page: DrawnPage) -> String {
        let layout = page.layout
        let turn = layout.isTurned ? PDFMatrix.turningOntoSheet(width: sheet(layout).width) : nil
        var placement = PDFMatrix.showing(page.facts.orientation).then(.onto(layout.picture))
        if let turn { placement = placement.then(turn) }
        var content = "q \(placement.operands) cm /P Do Q"
        guard let mark = page.mark, let box = layout.mark else { return content }
        // Rows are numbered from above, lengths from below.
        var place = PDFMatrix(a: 1, b: 0, c: 0, d: -1, e: 0, f: Double(mark.side)).then(
            .onto(
                PageLayout.Box(
                    left: box.left,
                    bottom: box.bottom,
                    width: box.width / Double(mark.side),
                    height: box.height / Double(mark.side)
                )
            )
        )
        if let turn { place = place.then(turn) }
        // One path: between the modules of several there would be seams.
        content += "\nq \(place.operands) cm 0 g"
        for row in 0..<mark.side {
            for run in mark.runs(in: row) { content += "\n\(run.lowerBound) \(row) \(run.count) 1 re" }
        }
        return content + " f Q"
    }
}
