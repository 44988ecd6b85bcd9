package import ChilMedia

/// One page of a job: a picture, where it stands, and the mark beside it.
package struct DrawnPage: Sendable {
    /// Bytes that `ImageProbe` has accepted.
    package let picture: [UInt8]
    package let facts: ImageFacts
    package let layout: PageLayout
    package let mark: QRCode?

    /// - Parameter mark: shown only where the layout has room for it.
    package init(picture: [UInt8], facts: ImageFacts, layout: PageLayout, mark: QRCode? = nil) {
        self.picture = picture
        self.facts = facts
        self.layout = layout
        self.mark = mark
    }
}
