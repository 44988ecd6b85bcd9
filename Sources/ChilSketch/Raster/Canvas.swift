/// Grey samples, 255 white: a page, or the mask that a clip is. Memory: one byte a pixel.
struct Canvas {
    let width: Int
    let height: Int
    private(set) var samples: [UInt8]

    init(width: Int, height: Int, tone: UInt8) {
        self.width = width
        self.height = height
        samples = [UInt8](repeating: tone, count: width * height)
    }

    /// Makes rows zero again.
    mutating func clear(rows: Range<Int>) {
        samples.withUnsafeMutableBufferPointer { samples in
            samples[rows.lowerBound * width..<rows.upperBound * width].update(repeating: 0)
        }
    }

    /// Eight lines a row: an edge that is nearly level has nine tones.
    private static let linesPerRow = 8
    private static let lineStep = Int32(256 / linesPerRow)

    private struct Crossing {
        var x: Int64
        let step: Int64
        let lastLine: Int32
        let winding: Int32
    }

    /// Paints the inside of `edges` by the non-zero rule, where `mask` lets it; each pixel as much as it is covered.
    mutating func fill(_ edges: EdgeList, tone: UInt8, mask: Canvas? = nil) {
        guard !edges.isEmpty else { return }
        let firstColumn = max(0, Int(edges.left >> 8))
        let endColumn = min(width, Int(edges.right >> 8) + 1)
        guard firstColumn < endColumn else { return }
        let sorted = edges.edges.sorted { $0.y0 < $1.y0 }
        let lineCount = Int32(height * Self.linesPerRow)
        var line = max(0, Self.line(from: sorted[0].y0))
        var waiting = 0
        var active: [Crossing] = []
        let (leftmost, rightmost) = (Int64(firstColumn) << 8, Int64(endColumn) << 8)
        let steps = UnsafeMutableBufferPointer<Int32>.allocate(capacity: endColumn - firstColumn + 2)
        steps.initialize(repeating: 0)
        defer { steps.deallocate() }
        // The blocks of columns that hold a step: between them nothing changes.
        let blocks = UnsafeMutableBufferPointer<Bool>.allocate(capacity: steps.count >> Self.blockBits + 1)
        blocks.initialize(repeating: false)
        defer { blocks.deallocate() }
        // The columns of this row that hold a step.
        var (first, last) = (Int.max, -1)

        while line < lineCount, waiting < sorted.count || !active.isEmpty {
            let y = line * Self.lineStep + Self.lineStep / 2
            while waiting < sorted.count, sorted[waiting].y0 <= y {
                if let crossing = Self.crossing(of: sorted[waiting], at: y) { active.append(crossing) }
                waiting += 1
            }
            active.withUnsafeMutableBufferPointer { active in
                Self.order(active)
                var winding: Int32 = 0
                var start: Int64 = 0
                for crossing in active {
                    let x = max(leftmost, min(rightmost, crossing.x >> 16))
                    if winding == 0 { start = x }
                    winding += crossing.winding
                    guard winding == 0, x > start else { continue }
                    Self.step(steps, blocks, at: start - leftmost, by: 1)
                    Self.step(steps, blocks, at: x - leftmost, by: -1)
                    first = min(first, Int((start - leftmost) >> 8))
                    last = max(last, Int((x - leftmost) >> 8) + 1)
                }
            }
            var kept = 0
            for index in active.indices where active[index].lastLine > line {
                active[kept] = active[index]
                active[kept].x += active[kept].step
                kept += 1
            }
            active.removeLast(active.count - kept)
            line += 1
            if line % Int32(Self.linesPerRow) == 0 || (active.isEmpty && waiting == sorted.count) {
                if last >= 0 {
                    // The columns after the area's last are there for its steps alone.
                    let touched = first..<min(last + 1, endColumn - firstColumn)
                    let row = Int(line - 1) / Self.linesPerRow
                    blend(steps, blocks, touched, row: row, from: firstColumn, tone: tone, mask: mask)
                    blocks[(endColumn - firstColumn) >> Self.blockBits] = false
                    blocks[(endColumn - firstColumn + 1) >> Self.blockBits] = false
                    steps[endColumn - firstColumn] = 0
                    steps[endColumn - firstColumn + 1] = 0
                }
                (first, last) = (.max, -1)
            }
            if active.isEmpty, waiting < sorted.count, last < 0 {
                line = max(line, Self.line(from: sorted[waiting].y0))
            }
        }
    }

    /// The first line whose middle is not above `y`.
    private static func line(from y: Int32) -> Int32 {
        (y + lineStep / 2 - 1) >> 5
    }

    private static func crossing(of edge: EdgeList.Edge, at y: Int32) -> Crossing? {
        let last = line(from: edge.y1) - 1
        guard last * lineStep + lineStep / 2 >= y else { return nil }
        let slope = (Int64(edge.x1 - edge.x0) << 16) / Int64(edge.y1 - edge.y0)
        return Crossing(
            x: Int64(edge.x0) << 16 + slope * Int64(y - edge.y0),
            step: slope * Int64(lineStep),
            lastLine: last,
            winding: edge.winding
        )
    }

    /// By insertion: from line to line the order hardly changes.
    private static func order(_ all: UnsafeMutableBufferPointer<Crossing>) {
        guard all.count > 1 else { return }
        for index in 1..<all.count {
            let moving = all[index]
            var place = index
            while place > 0, all[place - 1].x > moving.x {
                all[place] = all[place - 1]
                place -= 1
            }
            all[place] = moving
        }
    }

    private static let blockBits = 5

    /// From `x` (1/256 pixel) rightwards one line more, or one less, is covered.
    private static func step(
        _ steps: UnsafeMutableBufferPointer<Int32>,
        _ blocks: UnsafeMutableBufferPointer<Bool>,
        at x: Int64,
        by sign: Int32
    ) {
        let (pixel, part) = (Int(x >> 8), Int32(x & 255))
        steps[pixel] += sign * (256 - part)
        steps[pixel + 1] += sign * part
        blocks[pixel >> blockBits] = true
        blocks[(pixel + 1) >> blockBits] = true
    }

    /// Paints one row between two columns of `steps` (relative to `column`) and leaves zeros there.
    private mutating func blend(
        _ steps: UnsafeMutableBufferPointer<Int32>,
        _ blocks: UnsafeMutableBufferPointer<Bool>,
        _ touched: Range<Int>,
        row: Int,
        from column: Int,
        tone: UInt8,
        mask: Canvas?
    ) {
        let start = row * width + column
        let full = Int32(256 * Self.linesPerRow)
        samples.withUnsafeMutableBufferPointer { samples in
            var sum: Int32 = 0
            var index = touched.lowerBound
            while index < touched.upperBound {
                let block = index >> Self.blockBits
                let end = min(touched.upperBound, (block + 1) << Self.blockBits)
                if !blocks[block], sum == 0 || (sum >= full && mask == nil) {
                    if sum > 0 { samples[start + index..<start + end].update(repeating: tone) }
                    index = end
                    continue
                }
                blocks[block] = false
                while index < end {
                    sum += steps[index]
                    steps[index] = 0
                    if sum > 0 {
                        var cover = sum >= full ? 255 : (sum * 255 + full / 2) / full
                        if let mask { cover = (cover * Int32(mask.samples[start + index]) + 127) / 255 }
                        samples[start + index] = Self.mixed(samples[start + index], tone, cover)
                    }
                    index += 1
                }
            }
        }
    }

    /// `cover`: of 255.
    private static func mixed(_ before: UInt8, _ tone: UInt8, _ cover: Int32) -> UInt8 {
        guard cover < 255 else { return tone }
        let change = (Int32(tone) - Int32(before)) * cover
        return UInt8(truncatingIfNeeded: Int32(before) + (change + (change < 0 ? -127 : 127)) / 255)
    }
}
