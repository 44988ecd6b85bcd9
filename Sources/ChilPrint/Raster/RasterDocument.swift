package import ChilMedia

/// Pages as PWG raster, for printers that take no PDF.
package struct RasterDocument {
    /// A page of which the picture was made upright, on white, turned with the sheet, and no larger than its place.
    package struct Page: Sendable {
        let picture: [UInt8]
        let facts: ImageFacts
        let layout: PageLayout
        let mark: QRCode?

        /// - Parameter picture: a PNG that is not interlaced, with its `facts`.
        package init(picture: [UInt8], facts: ImageFacts, layout: PageLayout, mark: QRCode? = nil) {
            self.picture = picture
            self.facts = facts
            self.layout = layout
            self.mark = mark
        }
    }

    private let form: RasterForm
    private let pageCount: Int

    /// - Parameter pageCount: of all of the document.
    package init(_ form: RasterForm, pageCount: Int) {
        self.form = form
        self.pageCount = pageCount
    }

    package static let signature = RasterHeader.signature

    package func bands(of page: Page) throws(PDFFault) -> RasterBands {
        try RasterBands(page, form, pageCount: pageCount)
    }

    /// One page, band by band.
    package func write(_ page: Page, _ take: ([UInt8]) throws(PDFFault) -> Void) throws(PDFFault) {
        let bands = try bands(of: page)
        while let band = try bands.next() { try take(band) }
    }
}
