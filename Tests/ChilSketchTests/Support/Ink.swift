@testable import ChilSketch

/// What a page is judged by.
struct Ink {
    let canvas: Canvas

    /// The share of the page that is black, greys in part.
    var share: Double {
        canvas.samples.reduce(0) { $0 + Double(255 - $1) } / 255 / Double(canvas.samples.count)
    }

    /// No line within so many pixels of the page's edge.
    func isClear(margin: Int) -> Bool {
        for y in 0..<canvas.height {
            for x in 0..<canvas.width where canvas.samples[y * canvas.width + x] < 255 {
                let isInside =
                    (margin..<canvas.width - margin).contains(x) && (margin..<canvas.height - margin).contains(y)
                guard isInside else { return false }
            }
        }
        return true
    }

    /// Areas that lines close off, of at least this share of the page: what can be coloured.
    func regionCount(shareMin: Double = 0.000_4) -> Int {
        let (width, height) = (canvas.width, canvas.height)
        var seen = canvas.samples.map { $0 < 200 }
        var count = 0
        var waiting: [Int] = []
        for start in seen.indices where !seen[start] {
            var area = 0
            seen[start] = true
            waiting.append(start)
            while let place = waiting.popLast() {
                area += 1
                let x = place % width
                for next in [x > 0 ? place - 1 : -1, x + 1 < width ? place + 1 : -1, place - width, place + width]
                where next >= 0 && next < width * height && !seen[next] {
                    seen[next] = true
                    waiting.append(next)
                }
            }
            if Double(area) >= shareMin * Double(width * height) { count += 1 }
        }
        return count
    }

    /// FNV-1a of the samples: the PNG's own bytes also depend on zlib's version.
    var digest: String {
        String(
            canvas.samples.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 },
            radix: 16
        )
    }
}
