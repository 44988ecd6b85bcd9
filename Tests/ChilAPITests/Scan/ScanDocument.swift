import Foundation

/// Documents as scanners make them.
enum ScanDocument {
    /// Pages of A5 with a grey rectangle on each, another on each, and something that no other document has.
    ///
    /// - Parameter broken: the place of a page that is none.
    static func pdf(pages: Int, broken: Int? = nil) -> [UInt8] {
        var file = "%PDF-1.4\n% \(UUID())\n"
        var offsets: [Int] = []
        func add(_ body: String) {
            offsets.append(file.utf8.count)
            file += "\(offsets.count) 0 obj\n\(body)\nendobj\n"
        }
        let kids = (0..<pages).map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
        add("<< /Type /Catalog /Pages 2 0 R >>")
        add("<< /Type /Pages /Kids [\(kids)] /Count \(pages) >>")
        for page in 0..<pages {
            if page == broken {
                add("null")
                add("null")
                continue
            }
            add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents \(4 + 2 * page) 0 R >>")
            let drawing = "0.3 g 100 100 200 \(300 - 40 * page) re f"
            add("<< /Length \(drawing.utf8.count) >>\nstream\n\(drawing)\nendstream")
        }
        let start = file.utf8.count
        file += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
        for offset in offsets { file += String(format: "%010d 00000 n \n", offset) }
        file += "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(file.utf8)
    }
}
