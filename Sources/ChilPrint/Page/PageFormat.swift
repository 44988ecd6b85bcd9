package import ChilMedia

/// What pages are made in for a printer, the best first: PDF is exact and small, dots are exact, a picture is fitted by the printer.
package struct PageFormat: Hashable, Sendable {
    package let type: MediaType
    /// The printer itself makes the copies; else they are pages.
    package let leavesCopies: Bool

    /// `nil`: it takes nothing that pages are made in, or not so many.
    package init?(for printer: PrinterSnapshot, pageCount: Int, copies: Int) {
        let formats = printer.documentFormats
        let makesCopies =
            copies == 1 || printer.creationAttributes.contains("copies") && Int(printer.copiesMax ?? 1) >= copies
        if formats.isEmpty || formats.contains(MediaType.pdf.rawValue) {
            // Pages that share a picture cost nothing, and no printer miscounts them.
            (type, leavesCopies) = (.pdf, false)
        } else if formats.contains(MediaType.pwgRaster.rawValue) {
            (type, leavesCopies) = (.pwgRaster, makesCopies)
        } else if formats.contains(MediaType.jpeg.rawValue), pageCount == 1, makesCopies {
            (type, leavesCopies) = (.jpeg, true)
        } else {
            return nil
        }
    }
}
