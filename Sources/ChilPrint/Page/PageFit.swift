/// What LARGE, MEDIUM and SMALL mean for a tenant; the raw value is the operator's word.
package enum PageFit: String, Hashable, Sendable, CaseIterable {
    /// A share of the page, on whatever paper.
    case page
    /// A paper: A4, B5 or A5, filled. Where that is not loaded, a share of the page.
    case paper

    /// The paper that a scale is.
    package func paper(of scale: PrintScale) -> PaperName? {
        switch (self, scale) {
        case (.page, _): nil
        case (.paper, .large): .a4
        case (.paper, .medium): .b5
        case (.paper, .small): .a5
        }
    }
}
