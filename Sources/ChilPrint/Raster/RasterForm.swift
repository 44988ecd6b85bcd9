/// How a printer takes pages as PWG raster (PWG 5102.4).
package struct RasterForm: Hashable, Sendable {
    /// Dots per inch, in both directions.
    package let resolution: Int
    /// `srgb_8`, else `sgray_8`.
    package let isColour: Bool

    package init(resolution: Int, isColour: Bool) {
        self.resolution = resolution
        self.isColour = isColour
    }

    /// Nothing finer than this is asked of a printer that can do with less: lines look no better, and pages are four times as large.
    private static let enough = 300
    private static let sane = 72...1_200

    /// - Parameter isColour: whether a picture has colours.
    package init?(for printer: PrinterSnapshot, isColour: Bool) {
        let resolutions = printer.resolutions.filter { Self.sane.contains($0) }
        guard printer.resolutions.isEmpty || !resolutions.isEmpty else { return nil }
        resolution = resolutions.filter { $0 >= Self.enough }.min() ?? resolutions.max() ?? Self.enough
        // One that does not say what it takes has at least one of the two, and grey is the smaller.
        let takes = printer.rasterTypes
        switch (takes.contains("srgb_8"), takes.contains("sgray_8") || takes.isEmpty) {
        case (true, true): self.isColour = isColour
        case (true, false): self.isColour = true
        case (false, true): self.isColour = false
        case (false, false): return nil
        }
    }

    package var channels: Int { isColour ? 3 : 1 }

    /// A length in dots.
    package func dots(_ hundredths: Int) -> Int { (hundredths * resolution + 1_270) / 2_540 }
    func dots(points: Double) -> Int { Int((points * Double(resolution) / 72).rounded()) }
}
