package import ChilMedia

/// Where a picture stands on a sheet. Lengths are points (1/72 inch), the origin is the page's lower left corner.
///
/// The page lies as the picture does: a picture wider than high turns an upright sheet. The picture keeps its proportions, fills its box in
/// one direction and is centred on the page, as far as the printer's margins let it; small pictures are enlarged. Nothing is cropped.
package struct PageLayout: Hashable, Sendable {
    package struct Box: Hashable, Sendable {
        package let left: Double
        package let bottom: Double
        package let width: Double
        package let height: Double

        var right: Double { left + width }
        var top: Double { bottom + height }
    }

    package let tray: PaperTray
    /// The page is looked at with the sheet turned by a quarter: the sheet's right edge is then the page's lower one.
    package let isTurned: Bool
    /// All of what the printer reaches is the picture's.
    package let isLarge: Bool
    package let picture: Box
    /// The job mark, in the lower right corner of what the printer reaches; the picture keeps away from it.
    package let mark: Box?

    package init(
        of facts: ImageFacts,
        scale: PrintScale,
        on tray: PaperTray = PaperTray(.a4),
        hasMark: Bool = false
    ) {
        self.tray = tray
        let paper = tray.paper
        isTurned = facts.displayWidth > facts.displayHeight && paper.width <= paper.height
        isLarge = scale == .large
        let page = Self.size(of: paper, isTurned)
        let area = Self.printable(tray, isTurned)
        let shape = Size(width: Double(facts.displayWidth), height: Double(facts.displayHeight))
        let bounds = Size(width: area.width * scale.edgeShare, height: area.height * scale.edgeShare)
        let free = Self.box(of: shape, within: bounds, in: area, on: page)
        guard hasMark else {
            (picture, mark) = (free, nil)
            return
        }
        let side = Self.points(Self.markSide)
        let mark = Box(left: area.right - side, bottom: area.bottom, width: side, height: side)
        self.mark = mark
        let (left, top) = (mark.left - Self.points(Self.markSpace), mark.top + Self.points(Self.markSpace))
        if free.right <= left || free.bottom >= top {
            picture = free
            return
        }
        // Above it or beside it, wherever it is larger.
        let above = Box(left: area.left, bottom: top, width: area.width, height: area.top - top)
        let beside = Box(left: area.left, bottom: area.bottom, width: left - area.left, height: area.height)
        let boxes = [above, beside].map { Self.box(of: shape, within: bounds, in: $0, on: page) }
        picture = boxes[0].width >= boxes[1].width ? boxes[0] : boxes[1]
    }

    /// The page as it is looked at.
    package var pageWidth: Double { Self.size(of: tray.paper, isTurned).width }
    package var pageHeight: Double { Self.size(of: tray.paper, isTurned).height }

    /// Of the mark's pattern, in hundredths of a millimetre: 25 modules of 0.4 mm, which a scan of 200 dpi tells apart.
    package static let markSide = 1_000
    /// Four modules of white (ISO/IEC 18004 §6.3.8).
    static let markSpace = 160

    package static func points(_ hundredths: Int) -> Double { Double(hundredths) * 72 / 2_540 }

    private struct Size {
        let width, height: Double
    }

    /// The largest box of a shape in an area, no larger than the bounds, and as near to the page's middle as the area lets it be.
    private static func box(of shape: Size, within bounds: Size, in area: Box, on page: Size) -> Box {
        let factor = min(
            min(bounds.width, area.width) / shape.width,
            min(bounds.height, area.height) / shape.height
        )
        let (width, height) = (shape.width * factor, shape.height * factor)
        return Box(
            left: max(area.left, min((page.width - width) / 2, area.right - width)),
            bottom: max(area.bottom, min((page.height - height) / 2, area.top - height)),
            width: width,
            height: height
        )
    }

    private static func size(of paper: PaperSize, _ isTurned: Bool) -> Size {
        Size(
            width: points(isTurned ? paper.height : paper.width),
            height: points(isTurned ? paper.width : paper.height)
        )
    }

    /// What the printer reaches, on the page as it is looked at.
    private static func printable(_ tray: PaperTray, _ isTurned: Bool) -> Box {
        let (paper, edges) = (tray.paper, tray.margins)
        let (left, bottom) = isTurned ? (edges.bottom, edges.right) : (edges.left, edges.bottom)
        let width = isTurned ? paper.height - edges.bottom - edges.top : paper.width - edges.left - edges.right
        let height = isTurned ? paper.width - edges.left - edges.right : paper.height - edges.top - edges.bottom
        return Box(left: points(left), bottom: points(bottom), width: points(width), height: points(height))
    }
}
