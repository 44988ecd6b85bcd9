/// Paper as `media-col` tells it (PWG 5100.7 §6.3): its size, and what the printer leaves white at its edges. Hundredths of a
/// millimetre.
package struct MediaReady: Hashable, Sendable {
    package struct Margins: Hashable, Sendable {
        package let left: Int
        package let right: Int
        package let top: Int
        package let bottom: Int

        package init(left: Int, right: Int, top: Int, bottom: Int) {
            (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
        }
    }

    /// The self-describing name of the size (PWG 5101.1 §5), where the printer tells it.
    package let keyword: String?
    package let width: Int
    package let height: Int
    /// `nil`: the printer does not tell all four, or they leave nothing of the paper.
    package let margins: Margins?
    /// Where it lies, as in `main`.
    package let source: String?
    package let type: String?

    package init(
        keyword: String?,
        width: Int,
        height: Int,
        margins: Margins?,
        source: String? = nil,
        type: String? = nil
    ) {
        (self.keyword, self.width, self.height, self.margins) = (keyword, width, height, margins)
        (self.source, self.type) = (source, type)
    }

    /// `nil`: the value is no collection with a size of a sheet; custom sizes are ranges.
    init?(_ value: IPPValue) {
        guard case .collection(let members) = value else { return nil }
        let entry = IPPMessage.Group(.printer, members)
        guard case .collection(let dimensions) = entry.first("media-size") else { return nil }
        let size = IPPMessage.Group(.printer, dimensions)
        guard let width = size.first("x-dimension")?.number, let height = size.first("y-dimension")?.number,
            Self.edges.contains(width), Self.edges.contains(height)
        else { return nil }
        func margin(_ edge: String) -> Int? { entry.first("media-\(edge)-margin")?.number.map { Int($0) } }
        var margins: Margins?
        if let left = margin("left"), let right = margin("right"), let top = margin("top"),
            let bottom = margin("bottom"), min(left, right, top, bottom) >= 0, left + right < width,
            top + bottom < height
        {
            margins = Margins(left: left, right: right, top: top, bottom: bottom)
        }
        self.init(
            keyword: entry.first("media-size-name")?.string,
            width: Int(width),
            height: Int(height),
            margins: margins,
            source: entry.first("media-source")?.string,
            type: entry.first("media-type")?.string
        )
    }

    /// From a stamp to a poster of two metres.
    private static let edges: ClosedRange<Int32> = 1_000...200_000
}
