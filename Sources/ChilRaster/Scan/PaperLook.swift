/// What is seen in a small sample of a scanned page: which colour its paper has, and where something is on it.
///
/// Pure: the same sample gives the same answer. Where in doubt nothing is done: a dark picture is not whitened, a page that is empty
/// or nearly so is not cut.
struct PaperLook: Hashable, Sendable {
    /// Of the sample.
    static let sideMax = 256
    /// Paper is at least this light, and covers at least this share of the page, in per cent.
    private static let paperLightMin = 110
    private static let paperShareMin = 5
    /// Paper becomes this white; lighter samples than the paper are cut off.
    private static let white = 252.0
    /// No colour is lifted by more.
    private static let gainMax = 2.2
    /// A sample differs from the paper if a channel is this much darker or, of the three, apart.
    private static let inkDifference = 40
    /// So many of a row or a column are no dust.
    private static let inkCountMin = 2
    /// What is left around the drawing, and at the edge unseen (a scanner's lid throws a shadow there), in per cent of the longer side.
    private static let marginShare = 3
    private static let edgeShare = 2
    /// A smaller part of the page, in per cent, is a spot rather than a drawing.
    private static let boxShareMin = 4

    /// Red, green and blue of the paper. `nil`: none is seen.
    let paper: [Int]?
    let box: PixelBox

    init(_ sample: PixelSample) {
        let paper = Self.paper(of: sample)
        self.paper = paper
        box = paper.map { Self.box(of: sample, on: $0) } ?? .whole(sample.width, sample.height)
    }

    /// GraphicsMagick's `-recolor` matrix that makes the paper white. `nil`: it is, or there is none.
    var whitening: String? {
        guard let paper else { return nil }
        let gains = paper.map { min(Self.gainMax, max(1, Self.white / Double(max(1, $0)))) }
        guard gains.contains(where: { $0 > 1.01 }) else { return nil }
        func text(_ gain: Double) -> String {
            let thousandths = Int((gain * 1_000).rounded())
            let rest = String(thousandths % 1_000)
            return "\(thousandths / 1_000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)"
        }
        return "\(text(gains[0])),0,0,0,\(text(gains[1])),0,0,0,\(text(gains[2]))"
    }

    /// The lightest shade that covers enough of the page. Shades are 16 levels wide, and overlap, so that none is cut in two.
    private static func paper(of sample: PixelSample) -> [Int]? {
        var counts = [Int](repeating: 0, count: 256)
        for start in stride(from: 0, to: sample.bytes.count, by: 3) { counts[light(sample.bytes, start)] += 1 }
        let needed = max(1, sample.width * sample.height * paperShareMin / 100)
        var top = 255
        var sum = counts[240...255].reduce(0, +)
        while sum < needed, top - 15 > paperLightMin {
            sum += counts[top - 16] - counts[top]
            top -= 1
        }
        guard sum >= needed else { return nil }
        // The middle one of each channel: pale colours are as light as the paper.
        var levels = [[Int]](repeating: [Int](repeating: 0, count: 256), count: 3)
        for start in stride(from: 0, to: sample.bytes.count, by: 3)
        where (top - 15...top).contains(light(sample.bytes, start)) {
            for channel in 0..<3 { levels[channel][Int(sample.bytes[start + channel])] += 1 }
        }
        return levels.map { counts in
            var below = 0
            let middle = counts.firstIndex { count in
                below += count
                return 2 * below >= sum
            }
            return middle ?? 255
        }
    }

    private static func box(of sample: PixelSample, on paper: [Int]) -> PixelBox {
        let whole = PixelBox.whole(sample.width, sample.height)
        let longer = max(sample.width, sample.height)
        let edge = min(longer * edgeShare / 100, min(sample.width, sample.height) / 4)
        var columns = [Int](repeating: 0, count: sample.width)
        var rows = [Int](repeating: 0, count: sample.height)
        for y in edge..<(sample.height - edge) {
            for x in edge..<(sample.width - edge) where isInk(sample.bytes, (y * sample.width + x) * 3, on: paper) {
                columns[x] += 1
                rows[y] += 1
            }
        }
        guard let left = columns.firstIndex(where: { $0 >= inkCountMin }),
            let right = columns.lastIndex(where: { $0 >= inkCountMin }),
            let top = rows.firstIndex(where: { $0 >= inkCountMin }),
            let bottom = rows.lastIndex(where: { $0 >= inkCountMin })
        else { return whole }
        var box = whole
        box.x = left
        box.y = top
        box.width = right - left + 1
        box.height = bottom - top + 1
        guard box.width * box.height * 100 >= whole.width * whole.height * boxShareMin else { return whole }
        // What reaches the part that is not looked at may go on in it.
        let margin = max(longer * marginShare / 100, edge)
        return box.grown(by: margin)
    }

    private static func isInk(_ bytes: [UInt8], _ start: Int, on paper: [Int]) -> Bool {
        var (least, most) = (Int.max, Int.min)
        for channel in 0..<3 {
            let difference = paper[channel] - Int(bytes[start + channel])
            least = min(least, difference)
            most = max(most, difference)
        }
        return most >= inkDifference || most - least >= inkDifference
    }

    /// Luma of BT.601, 0 to 255.
    private static func light(_ bytes: [UInt8], _ start: Int) -> Int {
        (299 * Int(bytes[start]) + 587 * Int(bytes[start + 1]) + 114 * Int(bytes[start + 2])) / 1_000
    }
}
