/// What a picture may measure at most. The caller also bounds the bytes it reads; here the bound is a second lock.
package struct ImageLimits: Hashable, Sendable {
    package var byteCountMax: Int
    package var sideMax: Int
    package var pixelCountMax: Int

    package init(byteCountMax: Int, sideMax: Int, pixelCountMax: Int) {
        self.byteCountMax = byteCountMax
        self.sideMax = sideMax
        self.pixelCountMax = pixelCountMax
    }

    /// The contract's: 20 MiB and 64 megapixels, no side over 30,000.
    package static let standard = Self(byteCountMax: 20 * 1_048_576, sideMax: 30_000, pixelCountMax: 64_000_000)

    /// The fault of these dimensions, if any. Sides over 65,535 can't overflow the product: PNG's are at most 2³¹ − 1.
    func fault(width: Int, height: Int) -> ImageFault? {
        if width < 1 || height < 1 { return .damaged(.noArea) }
        if width > sideMax || height > sideMax { return .sideTooLong(max: sideMax) }
        if width * height > pixelCountMax { return .tooManyPixels(max: pixelCountMax) }
        return nil
    }
}
