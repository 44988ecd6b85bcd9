package import ChilMedia

/// Where a picture stands on a sheet. Lengths are points (1/72 inch), the origin is the page's lower left corner.
///
/// The page lies as the picture does: a picture wider than high makes the page lie on its side. The picture keeps its
/// proportions, fills its box in one direction and is centred; small pictures are enlarged.
package struct PageLayout: Hashable, Sendable {
    package struct Box: Hashable, Sendable {
        package let left: Double
        package let bottom: Double
        package let width: Double
        package let height: Double
    }

    /// What home printers leave white at each edge, in hundredths of a millimetre.
    package static let standardMargin = 500

    package let paper: PaperSize
    package let isLandscape: Bool
    package let picture: Box

    package init(
        of facts: ImageFacts,
        scale: PrintScale,
        on paper: PaperSize = .a4,
        margin: Int = standardMargin
    ) {
        self.paper = paper
        isLandscape = facts.displayWidth > facts.displayHeight
        let pageWidth = Self.points(isLandscape ? paper.height : paper.width)
        let pageHeight = Self.points(isLandscape ? paper.width : paper.height)
        let boxWidth = (pageWidth - 2 * Self.points(margin)) * scale.edgeShare
        let boxHeight = (pageHeight - 2 * Self.points(margin)) * scale.edgeShare
        let (columns, rows) = (Double(facts.displayWidth), Double(facts.displayHeight))
        let factor = min(boxWidth / columns, boxHeight / rows)
        picture = Box(
            left: (pageWidth - columns * factor) / 2,
            bottom: (pageHeight - rows * factor) / 2,
            width: columns * factor,
            height: rows * factor
        )
    }

    /// The page as it is looked at.
    package var pageWidth: Double { Self.points(isLandscape ? paper.height : paper.width) }
    package var pageHeight: Double { Self.points(isLandscape ? paper.width : paper.height) }

    static func points(_ hundredths: Int) -> Double { Double(hundredths) * 72 / 2_540 }
}
