package import ChilMedia

/// Pages, ready to be sent. Not `Sendable`: they may be made where they are sent.
package struct PrintDocument {
    package let body: PrintBody
    package let format: MediaType
    /// What it is laid out for.
    package let paper: PaperSize
    /// How often the printer is asked to print it: 1 where the copies are in it.
    package let copies: Int
    /// It is a picture, which the printer fits onto the sheet; else it is laid out at the sheet's size.
    package let isFitted: Bool

    package init(bytes: [UInt8], format: MediaType, paper: PaperSize, copies: Int = 1, isFitted: Bool = false) {
        self.init(.whole(bytes), format: format, paper: paper, copies: copies, isFitted: isFitted)
    }

    package init(_ body: PrintBody, format: MediaType, paper: PaperSize, copies: Int = 1, isFitted: Bool = false) {
        self.body = body
        self.format = format
        self.paper = paper
        self.copies = copies
        self.isFitted = isFitted
    }
}
