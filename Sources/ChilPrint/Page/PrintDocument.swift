package import ChilMedia

/// Pages, ready to be sent.
package struct PrintDocument: Sendable {
    package let bytes: [UInt8]
    package let format: MediaType
    /// What it is laid out for.
    package let paper: PaperSize

    package init(bytes: [UInt8], format: MediaType, paper: PaperSize) {
        self.bytes = bytes
        self.format = format
        self.paper = paper
    }
}
