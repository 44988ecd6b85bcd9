/// A part of a picture, in pixels from its upper left corner, and the picture's own size.
struct PixelBox: Hashable, Sendable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    let wholeWidth: Int
    let wholeHeight: Int

    static func whole(_ width: Int, _ height: Int) -> Self {
        Self(x: 0, y: 0, width: width, height: height, wholeWidth: width, wholeHeight: height)
    }

    var isWhole: Bool { width == wholeWidth && height == wholeHeight }

    /// With so many pixels more on each side, within the picture.
    func grown(by margin: Int) -> Self {
        var box = self
        box.x = max(0, x - margin)
        box.y = max(0, y - margin)
        box.width = min(wholeWidth, x + width + margin) - box.x
        box.height = min(wholeHeight, y + height + margin) - box.y
        return box
    }

    /// The same part of the picture at another size, rounded outwards. `nil`: all of it.
    func scaled(toWidth newWidth: Int, height newHeight: Int) -> Self? {
        guard !isWhole, newWidth > 0, newHeight > 0 else { return nil }
        let left = x * newWidth / wholeWidth
        let top = y * newHeight / wholeHeight
        let right = min(newWidth, ((x + width) * newWidth + wholeWidth - 1) / wholeWidth)
        let bottom = min(newHeight, ((y + height) * newHeight + wholeHeight - 1) / wholeHeight)
        return Self(
            x: left,
            y: top,
            width: right - left,
            height: bottom - top,
            wholeWidth: newWidth,
            wholeHeight: newHeight
        )
    }
}
