/// How a job is to be printed, as far as it is not drawn into the page already.
package struct PrintTicket: Hashable, Sendable {
    package let jobName: String
    package let paper: PaperSize
    private let copies: Int
    private let isFitted: Bool

    package init(jobName: String, paper: PaperSize = .a4) {
        self.jobName = jobName
        self.paper = paper
        (copies, isFitted) = (1, false)
    }

    package init(jobName: String, of document: PrintDocument) {
        self.jobName = jobName
        (paper, copies, isFitted) = (document.paper, document.copies, document.isFitted)
    }

    /// The job attributes, only such as the printer says it takes: an unknown one can make a strict printer refuse.
    func attributes(for printer: PrinterSnapshot?) -> [IPPAttribute] {
        guard let printer else { return [] }
        var attributes: [IPPAttribute] = []
        if printer.creationAttributes.contains("media-col") {
            let size = IPPAttribute(
                "media-size",
                .collection([
                    IPPAttribute("x-dimension", .integer(Int32(paper.width))),
                    IPPAttribute("y-dimension", .integer(Int32(paper.height))),
                ])
            )
            attributes.append(IPPAttribute("media-col", .collection([size])))
        } else if printer.mediaSupported.contains(paper.keyword) {
            attributes.append(IPPAttribute("media", .keyword(paper.keyword)))
        }
        // The page is laid out at the sheet's size: scaling it again would only shrink it.
        let scaling = isFitted ? "fit" : "none"
        if printer.printScalings.contains(scaling) {
            attributes.append(IPPAttribute("print-scaling", .keyword(scaling)))
        }
        if copies > 1 { attributes.append(IPPAttribute("copies", .integer(Int32(copies)))) }
        // Copies are pages, and must not land on each other's back.
        if printer.sides.contains("one-sided") { attributes.append(IPPAttribute("sides", .keyword("one-sided"))) }
        return attributes
    }
}
