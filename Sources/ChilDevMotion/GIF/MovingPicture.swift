import ChilMedia
package import ChilMotion
import ChilPrint

/// A drawing as a GIF in which the whole of it moves a few pixels from frame to frame. It finds nobody in the drawing: it is a stand-in for
/// what does.
package struct MovingPicture: Sendable {
    package static let frameCount = 8
    /// Larger drawings are sampled.
    private static let sideMax = 200
    private static let hundredths = 12

    private let width: Int
    private let height: Int
    private let pixels: [UInt8]
    private let palette: [UInt8]
    private let white: UInt8

    /// - Returns: `nil`: no PNG.
    package init?(png: [UInt8]) {
        guard let facts = try? ImageProbe.facts(of: png), let picture = try? PNGPixels(of: png, facts: facts) else {
            return nil
        }
        let step = max(1, (max(picture.width, picture.height) + Self.sideMax - 1) / Self.sideMax)
        width = (picture.width + step - 1) / step
        height = (picture.height + step - 1) / step
        palette = picture.isGrey ? Self.greys : Self.colours
        white = picture.isGrey ? 255 : 251
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height)
        for y in stride(from: 0, to: picture.height, by: step) {
            for x in stride(from: 0, to: picture.width, by: step) {
                let at = y * picture.width + x
                pixels.append(
                    picture.isGrey ? picture.samples[at] : Self.index(picture.samples[(at * 3)..<(at * 3 + 3)])
                )
            }
        }
        self.pixels = pixels
    }

    package func gif(_ motion: MotionType) -> [UInt8] {
        var writer = GIFWriter(width: width, height: height, palette: palette)
        for frame in 0..<Self.frameCount {
            let (across, down) = Self.shift(motion, frame)
            writer.add(shifted(across, down), hundredths: Self.hundredths)
        }
        return writer.finish()
    }

    /// How far the drawing is from its place, in pixels.
    private static func shift(_ motion: MotionType, _ frame: Int) -> (across: Int, down: Int) {
        let swing = [0, 2, 4, 2, 0, -2, -4, -2][frame]
        return switch motion {
        case .dance: (swing, abs(swing) / 2)
        case .hello: (swing / 2, 0)
        case .jump: (0, -2 * abs(swing))
        case .zombie: (frame - 4, frame % 2)
        }
    }

    private func shifted(_ across: Int, _ down: Int) -> [UInt8] {
        var moved = [UInt8](repeating: white, count: pixels.count)
        for y in 0..<height where (0..<height).contains(y - down) {
            for x in 0..<width where (0..<width).contains(x - across) {
                moved[y * width + x] = pixels[(y - down) * width + x - across]
            }
        }
        return moved
    }

    // MARK: Colours

    private static let greys = (0..<256).flatMap { [UInt8($0), UInt8($0), UInt8($0)] }

    /// Six reds, seven greens, six blues, and four blacks.
    private static let colours: [UInt8] = {
        var colours: [UInt8] = []
        for red in 0..<6 {
            for green in 0..<7 {
                for blue in 0..<6 { colours += [UInt8(red * 51), UInt8(green * 255 / 6), UInt8(blue * 51)] }
            }
        }
        return colours + [UInt8](repeating: 0, count: 12)
    }()

    private static func index(_ rgb: ArraySlice<UInt8>) -> UInt8 {
        let (red, green, blue) = (Int(rgb[rgb.startIndex]), Int(rgb[rgb.startIndex + 1]), Int(rgb[rgb.startIndex + 2]))
        return UInt8(((red + 25) / 51 * 7 + (green * 6 + 127) / 255) * 6 + (blue + 25) / 51)
    }
}
