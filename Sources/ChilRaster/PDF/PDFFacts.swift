/// What pdfinfo(1) says of a document, as far as it is asked.
struct PDFFacts: Hashable, Sendable {
    /// Points of 1/72 inch.
    struct Page: Hashable, Sendable {
        var width: Double
        var height: Double
    }

    let pageCount: Int
    let pages: [Page]

    /// - Parameter text: lines `Pages: 2` and, for each page asked for, `Page    1 size: 595.276 x 841.89 pts (A4)`.
    init?(_ text: [UInt8]) {
        var count: Int?
        var pages: [Page] = []
        for line in text.split(separator: 0x0A) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            if words.first == "Pages:", words.count == 2 { count = Int(words[1]) }
            if words.first == "Page", words.count >= 6, words[2] == "size:", words[4] == "x",
                let width = Double(words[3]), let height = Double(words[5]), width > 0, height > 0
            {
                pages.append(Page(width: width, height: height))
            }
        }
        guard let count, count > 0, !pages.isEmpty, pages.count <= count else { return nil }
        self.pageCount = count
        self.pages = pages
    }
}
