/// Finds what may be a corner of a QR code: dark, light, dark, light, dark as 1 : 1 : 3 : 1 : 1, along a row and a column alike. So it is
/// however the page is turned, for a line through the middle of squares cuts them all in the same measure.
struct MarkFinder {
    /// The middle of a corner, in pixels, and how long a module is along the rows: 1 to √2 of its side.
    struct Corner {
        var x: Double
        var y: Double
        var module: Double
        var seenCount: Int
    }

    /// A page full of what looks like corners is not looked at for ever.
    static let looksMax = 60_000
    static let cornersMax = 400
    /// Of those that are seen most often.
    static let keptMax = 40
    /// No module of a mark of 10 mm is larger: that is a fifth of the picture's longer side.
    private static let moduleMax = 32.0
    /// The corners of a mark at 150 dpi are sixteen pixels high.
    private static let rowStep = 2
    private static let slack = 0.65

    private let picture: MarkPicture
    private var corners: [Corner] = []
    private var looksLeft = Self.looksMax

    private init(_ picture: MarkPicture) {
        self.picture = picture
    }

    static func corners(in picture: MarkPicture) -> [Corner] {
        var finder = Self(picture)
        for row in stride(from: 0, to: picture.height, by: rowStep) where finder.looksLeft > 0 { finder.search(row) }
        return Array(
            finder.corners.filter { $0.seenCount > 1 }.sorted { $0.seenCount > $1.seenCount }.prefix(keptMax)
        )
    }

    private mutating func search(_ row: Int) {
        var lengths = (0, 0, 0, 0, 0)
        var found: [(Double, Double)] = []
        picture.runs(in: row) { start, length, isDark in
            lengths = (lengths.1, lengths.2, lengths.3, lengths.4, length)
            guard isDark, let module = Self.module(of: lengths) else { return }
            found.append((Double(start) - Double(lengths.3) - Double(lengths.2) / 2 - 0.5, module))
        }
        for (x, module) in found where looksLeft > 0 {
            looksLeft -= 1
            look(x, Double(row), module)
        }
    }

    private mutating func look(_ x: Double, _ y: Double, _ module: Double) {
        let column = Int(x.rounded())
        guard let down = crossing(column, Int(y), 0, 1, module) else { return }
        let middle = y + down.shift
        guard let across = crossing(column, Int(middle.rounded()), 1, 0, module) else { return }
        let corner = Corner(x: Double(column) + across.shift, y: middle, module: across.module, seenCount: 1)
        for index in corners.indices {
            let known = corners[index]
            let near = max(known.module, corner.module) * 1.5
            guard abs(known.x - corner.x) < near, abs(known.y - corner.y) < near else { continue }
            let count = Double(known.seenCount)
            corners[index].x = (known.x * count + corner.x) / (count + 1)
            corners[index].y = (known.y * count + corner.y) / (count + 1)
            corners[index].module = (known.module * count + corner.module) / (count + 1)
            corners[index].seenCount += 1
            return
        }
        if corners.count < Self.cornersMax { corners.append(corner) }
    }

    /// How far the middle of the five runs through a pixel is from it, in one direction.
    private func crossing(_ column: Int, _ row: Int, _ right: Int, _ down: Int, _ module: Double)
        -> (shift: Double, module: Double)?
    {
        guard picture.isDark(column, row) else { return nil }
        let longest = Int(module * 6) + 2
        func runs(_ sign: Int) -> (Int, Int, Int)? {
            var (step, lengths) = (sign < 0 ? 1 : 0, [0, 0, 0])
            for part in 0..<3 {
                while picture.isDark(column + sign * step * right, row + sign * step * down) == (part != 1) {
                    lengths[part] += 1
                    step += 1
                    guard lengths[part] <= longest else { return nil }
                }
            }
            return (lengths[0], lengths[1], lengths[2])
        }
        guard let before = runs(-1), let after = runs(1),
            let length = Self.module(of: (before.2, before.1, before.0 + after.0, after.1, after.2)),
            abs(length - module) < 0.5 * max(length, module)
        else { return nil }
        return (Double(after.0 - before.0 - 1) / 2, length)
    }

    private static func module(of lengths: (Int, Int, Int, Int, Int)) -> Double? {
        let sum = lengths.0 + lengths.1 + lengths.2 + lengths.3 + lengths.4
        guard sum >= 10 else { return nil }
        let module = Double(sum) / 7
        guard module <= moduleMax else { return nil }
        let (room, middle) = (module * slack, Double(lengths.2) - 3 * module)
        guard abs(Double(lengths.0) - module) < room, abs(Double(lengths.1) - module) < room,
            abs(Double(lengths.3) - module) < room, abs(Double(lengths.4) - module) < room, abs(middle) < 2 * room
        else { return nil }
        return module
    }
}
