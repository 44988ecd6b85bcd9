/// A scanned page as the reader of marks sees it: how light each pixel is in its lightest colour, so that crayons of every colour but
/// dark ones are as paper, and only black is black.
package struct MarkPicture: Sendable {
    /// Of a side; a larger picture is not read. Of A4 it is 240 dpi.
    package static let sideMax = 2_800
    /// A tile's threshold is made of what surrounds it, this many tiles to each side: no light on the glass is even.
    private static let tileSide = 16
    private static let tilesAround = 2
    /// Paper without anything on it has no dark pixels.
    private static let contrastMin = 40

    let width: Int
    let height: Int
    let light: [UInt8]
    private let tilesAcross: Int
    private let thresholds: [UInt8]

    /// - Parameter colours: red, green and blue by turns. `nil`: not as many as there are pixels, or too many.
    package init?(width: Int, height: Int, colours: [UInt8]) {
        guard width > 0, height > 0, max(width, height) <= Self.sideMax, colours.count == width * height * 3 else {
            return nil
        }
        self.width = width
        self.height = height
        light = [UInt8](unsafeUninitializedCapacity: width * height) { light, count in
            colours.withUnsafeBufferPointer { colours in
                var from = 0
                while count < light.count {
                    light[count] = max(colours[from], max(colours[from + 1], colours[from + 2]))
                    from += 3
                    count += 1
                }
            }
        }
        tilesAcross = (width + Self.tileSide - 1) / Self.tileSide
        thresholds = Self.thresholds(of: light, width, height, tilesAcross)
    }

    /// One row, left to right, as lengths of light and dark by turns, light first.
    func runs(in row: Int, _ take: (_ start: Int, _ length: Int, _ isDark: Bool) -> Void) {
        light.withUnsafeBufferPointer { light in
            thresholds.withUnsafeBufferPointer { thresholds in
                let (line, tiles) = (row * width, row / Self.tileSide * tilesAcross)
                var (column, start, wasDark) = (0, 0, false)
                while column < width {
                    let isDark = light[line + column] < thresholds[tiles + column / Self.tileSide]
                    if isDark != wasDark {
                        take(start, column - start, wasDark)
                        (start, wasDark) = (column, isDark)
                    }
                    column += 1
                }
                take(start, width - start, wasDark)
            }
        }
    }

    /// Beyond the edges all is light.
    func isDark(_ column: Int, _ row: Int) -> Bool {
        guard column >= 0, column < width, row >= 0, row < height else { return false }
        return light[row * width + column]
            < thresholds[row / Self.tileSide * tilesAcross + column / Self.tileSide]
    }

    /// Between pixels, of which the middles have whole numbers.
    func light(x: Double, y: Double) -> Double {
        guard x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) else { return 255 }
        let (column, row) = (Int(x), Int(y))
        let (right, down) = (x - Double(column), y - Double(row))
        let at = row * width + column
        let upper = Double(light[at]) * (1 - right) + Double(light[at + 1]) * right
        let lower = Double(light[at + width]) * (1 - right) + Double(light[at + width + 1]) * right
        return upper * (1 - down) + lower * down
    }

    /// Between the darkest and the lightest pixel around each tile; 0, less than which nothing is, where these hardly differ.
    private static func thresholds(of light: [UInt8], _ width: Int, _ height: Int, _ tilesAcross: Int) -> [UInt8] {
        let tilesDown = (height + tileSide - 1) / tileSide
        var darkest = [UInt8](repeating: 255, count: tilesAcross * tilesDown)
        var lightest = [UInt8](repeating: 0, count: tilesAcross * tilesDown)
        light.withUnsafeBufferPointer { light in
            var at = 0
            for row in 0..<height {
                let tiles = row / tileSide * tilesAcross
                for first in 0..<tilesAcross {
                    var (low, high) = (darkest[tiles + first], lightest[tiles + first])
                    let end = at + min(tileSide, width - first * tileSide)
                    while at < end {
                        low = min(low, light[at])
                        high = max(high, light[at])
                        at += 1
                    }
                    (darkest[tiles + first], lightest[tiles + first]) = (low, high)
                }
            }
        }
        var thresholds = [UInt8](repeating: 0, count: darkest.count)
        for row in 0..<tilesDown {
            for column in 0..<tilesAcross {
                var (low, high) = (UInt8.max, UInt8.min)
                for y in max(0, row - tilesAround)...min(tilesDown - 1, row + tilesAround) {
                    for x in max(0, column - tilesAround)...min(tilesAcross - 1, column + tilesAround) {
                        low = min(low, darkest[y * tilesAcross + x])
                        high = max(high, lightest[y * tilesAcross + x])
                    }
                }
                guard high > low, Int(high - low) >= contrastMin else { continue }
                thresholds[row * tilesAcross + column] = UInt8((Int(low) + Int(high)) / 2)
            }
        }
        return thresholds
    }
}
