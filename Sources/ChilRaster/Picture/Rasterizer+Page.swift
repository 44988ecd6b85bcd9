extension Rasterizer {
    /// Of A4 at 300 dpi: finer is what a printer's own dots are, and is made of this between its pixels.
    package static let pagePixelsMax = 8_700_000

    /// The upright picture on white as it is printed: turned with its sheet, no larger than its place. A PNG.
    ///
    /// - Parameters:
    ///   - width: of the place, on the sheet as it is fed.
    ///   - isTurned: the sheet lies when it is looked at, so the picture is turned against the clock.
    package func page(
        of image: RasterImage,
        width: Int,
        height: Int,
        isTurned: Bool,
        isGrey: Bool
    ) async throws(RasterFault) -> RasterImage {
        var (columns, rows) = (width, height)
        while columns * rows > Self.pagePixelsMax { (columns, rows) = (columns * 9 / 10, rows * 9 / 10) }
        var steps = Self.upright(image, isTurned) + ["-resize", "\(max(1, columns))x\(max(1, rows))>"]
        if isGrey { steps += ["-colorspace", "GRAY"] }
        return try await convert(image.bytes, Self.source(image.format) + steps + ["-depth", "8"], to: .png)
    }

    /// All of an upright sheet with the picture at its place: a JPEG, for printers that take nothing else.
    package func sheet(
        of image: RasterImage,
        left: Int,
        top: Int,
        width: Int,
        height: Int,
        on sheet: (width: Int, height: Int),
        isTurned: Bool
    ) async throws(RasterFault) -> RasterImage {
        let steps =
            Self.upright(image, isTurned) + [
                "-resize", "\(width)x\(height)!", "-background", "white", "-extent",
                "\(sheet.width)x\(sheet.height)-\(left)-\(top)",
            ]
        return try await convert(image.bytes, Self.source(image.format) + steps, to: .jpeg)
    }

    private static func upright(_ image: RasterImage, _ isTurned: Bool) -> [String] {
        onWhite(image.format) + ["-auto-orient"] + (isTurned ? ["-rotate", "270"] : [])
    }
}
