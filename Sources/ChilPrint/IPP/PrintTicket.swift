/// How a job is to be printed, as far as it is not drawn into the page already.
package struct PrintTicket: Hashable, Sendable {
    package let jobName: String
    package let paper: PaperSize
    private let copies: Int
    private let isFitted: Bool
    /// What the printer has refused, though it says that it takes it.
    package private(set) var refused: Set<String> = []

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
        if let media = media(for: printer) { attributes.append(media) }
        // The page is laid out at the sheet's size: scaling it again would only shrink it.
        let scaling = isFitted ? "fit" : "none"
        if printer.printScalings.contains(scaling) {
            attributes.append(IPPAttribute("print-scaling", .keyword(scaling)))
        }
        if copies > 1 { attributes.append(IPPAttribute("copies", .integer(Int32(copies)))) }
        // Copies are pages, and must not land on each other's back.
        if printer.sides.contains("one-sided") { attributes.append(IPPAttribute("sides", .keyword("one-sided"))) }
        return attributes.filter { !refused.contains($0.name) }
    }

    /// Leaves out what the printer names, or, if it names nothing that was sent, all but the paper and how many.
    ///
    /// - Returns: false if nothing can be left out: then the printer does not take the job. A page is never printed on paper that the
    ///   printer chose after it had refused the paper of the page, nor less often than it was asked for.
    mutating func drop(_ named: [String], of sent: [String], for printer: PrinterSnapshot?) -> Bool {
        let ours = sent.filter { named.contains($0) }
        let dropped = ours.isEmpty ? sent.filter { !Self.keptNames.contains($0) } : ours
        guard !dropped.isEmpty, !dropped.contains("copies") else { return false }
        refused.formUnion(dropped)
        guard dropped.contains(where: Self.mediaNames.contains), let printer else { return true }
        return media(for: printer) != nil
    }

    /// By its measures, or by its name.
    private func media(for printer: PrinterSnapshot) -> IPPAttribute? {
        if printer.creationAttributes.contains("media-col"), !refused.contains("media-col") {
            let size = IPPAttribute(
                "media-size",
                .collection([
                    IPPAttribute("x-dimension", .integer(Int32(paper.width))),
                    IPPAttribute("y-dimension", .integer(Int32(paper.height))),
                ])
            )
            return IPPAttribute("media-col", .collection([size]))
        }
        guard printer.mediaSupported.contains(paper.keyword), !refused.contains("media") else { return nil }
        return IPPAttribute("media", .keyword(paper.keyword))
    }

    private static let mediaNames: Set = ["media", "media-col"]
    private static let keptNames = mediaNames.union(["copies"])
}
