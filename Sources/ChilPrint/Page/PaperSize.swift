/// A sheet as it is fed, in hundredths of a millimetre, the unit of `media-col` (PWG 5100.7 §6.3.1).
package struct PaperSize: Hashable, Sendable {
    /// The self-describing name (PWG 5101.1 §5), for the `media` attribute.
    package let keyword: String
    package let width: Int
    package let height: Int

    package static let a4 = PaperName.a4.size

    package init(keyword: String, width: Int, height: Int) {
        self.keyword = keyword
        self.width = width
        self.height = height
    }

    /// Reads the size out of a self-describing name, as in `na_index-4x6_4x6in`; `nil` for other words and for the bounds of
    /// custom sizes, which no sheet has.
    package init?(keyword: String) {
        let parts = keyword.split(separator: "_")
        guard keyword.utf8.count <= 255, parts.count >= 3, let last = parts.last, last.count > 2,
            !["custom", "roll"].contains(parts[0]) || !["min", "max"].contains(parts[1])
        else { return nil }
        let sides = last.dropLast(2).split(separator: "x", omittingEmptySubsequences: false)
        let unit: Double
        switch last.suffix(2) {
        case "mm": unit = 100
        case "in": unit = 2_540
        default: return nil
        }
        guard sides.count == 2, let width = Self.length(sides[0], unit), let height = Self.length(sides[1], unit) else {
            return nil
        }
        self.init(keyword: keyword, width: width, height: height)
    }

    /// Printers round: half a millimetre is no other paper.
    package func isAsLarge(as other: Self) -> Bool {
        abs(width - other.width) <= Self.tolerance && abs(height - other.height) <= Self.tolerance
    }

    /// The contract's name, or the printer's own for a paper that has none there.
    package var shownName: String { PaperName(self)?.rawValue ?? keyword }

    private static let tolerance = 50
    /// From a stamp to a poster of two metres.
    private static let edges = 1_000.0...200_000.0

    private static func length(_ digits: Substring, _ unit: Double) -> Int? {
        guard digits.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || $0 &- UInt8(ascii: "0") < 10 }),
            let value = Double(digits), edges.contains(value * unit)
        else { return nil }
        return Int((value * unit).rounded())
    }
}
