package import ChilMedia

/// Pages, ready to be sent.
package struct PrintDocument: Sendable {
    package let bytes: [UInt8]
    package let format: MediaType
    /// What it is laid out for.
    package let paper: PaperSize
    /// How often the printer is asked to print it: 1 where the copies are in it.
    package let copies: Int
    /// It is a picture, which the printer fits onto the sheet; else it is laid out at the sheet's size.
    package let isFitted: Bool

    package init(bytes: [UInt8], format: MediaType, paper: PaperSize, copies: Int = 1, isFitted: Bool = false) {
        self.bytes = bytes
        self.format = format
        self.paper = paper
        self.copies = copies
        self.isFitted = isFitted
    }
}
