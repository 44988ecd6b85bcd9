/// A page in pixels.
package struct SketchSize: Hashable, Sendable {
    package static let sideMin = 256
    package static let sideMax = 2_048
    /// The longer side is at most this many times the shorter.
    package static let ratioMax = 2

    package let width: Int
    package let height: Int

    package static let square = Self(unchecked: 1_024, 1_024)
    /// A4 at about 150 dots an inch.
    package static let a4 = Self(unchecked: 1_240, 1_754)
    package static let a4Landscape = Self(unchecked: 1_754, 1_240)

    /// `nil` outside the limits above: choose sides from 256 to 2,048, none more than twice the other.
    package init?(width: Int, height: Int) {
        let sides = Self.sideMin...Self.sideMax
        guard sides.contains(width), sides.contains(height) else { return nil }
        guard max(width, height) <= min(width, height) * Self.ratioMax else { return nil }
        self.init(unchecked: width, height)
    }

    private init(unchecked width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }
}
