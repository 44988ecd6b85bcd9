import ChilMedia

/// A page that shows what a printer does with pages: a frame at the edge of what it prints, a ruler, and names.
///
/// Its text is ASCII in Helvetica, which every PDF reader has; other letters are shown as question marks.
package struct TestPage: PrintPages {
    private let title: String
    private let lines: [String]

    package init(title: String, lines: [String]) {
        self.title = title
        self.lines = lines
    }

    package func document(for printer: PrinterSnapshot) async throws(PrintPagesFault) -> PrintDocument {
        guard printer.documentFormats.isEmpty || printer.documentFormats.contains(MediaType.pdf.rawValue) else {
            throw .noFormat
        }
        let ready = printer.mediaColReady.first { $0.keyword == printer.mediaDefault } ?? printer.mediaColReady.first
        let loaded = ready.flatMap { media in
            media.keyword.map { PaperSize(keyword: $0, width: media.width, height: media.height) }
        }
        return PrintDocument(
            bytes: bytes(on: loaded ?? .a4, margins: loaded == nil ? nil : ready?.margins),
            format: .pdf,
            paper: loaded ?? .a4
        )
    }

    package func bytes(on paper: PaperSize, margins: MediaReady.Margins?) -> [UInt8] {
        let (width, height) = (PageLayout.points(paper.width), PageLayout.points(paper.height))
        let drawing = Array(content(width: width, height: height, on: paper, margins: margins).utf8)
        var writer = PDFWriter(objectCount: 5, capacity: drawing.count)
        writer.add(1, "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>")
        writer.add(2, "<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
        writer.add(
            3,
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(PDFWriter.number(width)) \(PDFWriter.number(height))]"
                + " /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>"
        )
        writer.add(4, "", stream: drawing)
        writer.add(5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
        return writer.finish(root: 1)
    }

    private func content(
        width: Double,
        height: Double,
        on paper: PaperSize,
        margins: MediaReady.Margins?
    ) -> String {
        let standard = PaperTray.Margins.standard.left
        let edges = margins ?? .init(left: standard, right: standard, top: standard, bottom: standard)
        let (left, bottom) = (PageLayout.points(edges.left), PageLayout.points(edges.bottom))
        let (right, top) = (width - PageLayout.points(edges.right), height - PageLayout.points(edges.top))
        func point(_ x: Double, _ y: Double) -> String { "\(PDFWriter.number(x)) \(PDFWriter.number(y))" }
        var words: [String] = ["q 0.5 w"]
        // Half a line inside, so that a line that is cut off shows as thinner.
        words.append("\(point(left + 0.25, bottom + 0.25)) \(point(right - left - 0.5, top - bottom - 0.5)) re S")
        for (x, y, dx, dy) in [
            (left, bottom, 1.0, 1.0), (right, bottom, -1, 1), (left, top, 1, -1), (right, top, -1, -1),
        ] {
            words.append("\(point(x, y)) m \(point(x + 20 * dx, y + 20 * dy)) l S")
        }
        let unit = PageLayout.points(100)
        // A ruler of ten centimetres, or what the paper has of them.
        let (start, base) = (left + 24, bottom + 36)
        let centimetres = min(10, Int((right - start - 24) / (10 * unit)))
        for mark in 0...max(0, centimetres * 10) {
            let size = mark % 10 == 0 ? 10.0 : mark % 5 == 0 ? 7 : 4
            let x = start + Double(mark) * unit
            words.append("\(point(x, base)) m \(point(x, base + size)) l S")
        }
        words.append("\(point(start, base)) m \(point(start + Double(centimetres) * 10 * unit, base)) l S")
        words.append(Self.text("\(centimetres) cm, if nothing was scaled", 8, at: point(start, base - 11)))
        words.append(Self.text(title, 20, at: point(left + 24, top - 48)))
        let size = "\(paper.keyword), \(Self.millimetres(paper.width)) x \(Self.millimetres(paper.height)) mm"
        let white =
            "margins left \(Self.millimetres(edges.left)), top \(Self.millimetres(edges.top)), "
            + "right \(Self.millimetres(edges.right)), bottom \(Self.millimetres(edges.bottom)) mm"
            + (margins == nil ? " (assumed)" : "")
        var y = top - 76
        for line in lines + [size, white] {
            words.append(Self.text(line, 10, at: point(left + 24, y)))
            y -= 16
        }
        // Greys, which show a cartridge that is nearly empty.
        let share = (right - left - 48) / 8
        for step in 0..<8 {
            words.append("\(PDFWriter.number(Double(step) / 8)) g")
            words.append("\(point(left + 24 + Double(step) * share, y - 32)) \(point(share, 24)) re f")
        }
        words.append("Q")
        return words.joined(separator: "\n")
    }

    private static func text(_ line: String, _ size: Int, at place: String) -> String {
        let plain = line.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "(", ")", "\\": "\\\(scalar)"
            case _ where (0x20..<0x7F).contains(scalar.value): String(scalar)
            default: "?"
            }
        }
        return "BT 0 g /F \(size) Tf \(place) Td (\(plain.joined())) Tj ET"
    }

    private static func millimetres(_ hundredths: Int) -> String { PDFWriter.number(Double(hundredths) / 100) }
}
