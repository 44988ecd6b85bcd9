/// The edges of what is to be filled, in 1/256 pixel: from here on everything is whole numbers.
struct EdgeList {
    struct Edge {
        let x0, y0, x1, y1: Int32
        let winding: Int32
    }

    static let unit = 256.0
    /// No page is larger (`SketchSize.sideMax`), and what lies further out is drawn at this border.
    private static let reachMax = 16_384.0

    private(set) var edges: [Edge] = []
    private(set) var left = Int32.max
    private(set) var right = Int32.min

    var isEmpty: Bool { edges.isEmpty }

    /// The rows that the edges touch, of so many.
    func rows(of height: Int) -> Range<Int> {
        let top = edges.map(\.y0).min().map { Int($0 >> 8) } ?? 0
        let bottom = edges.map(\.y1).max().map { Int($0 >> 8) + 1 } ?? 0
        let first = max(0, min(height, top))
        return first..<max(first, min(height, bottom))
    }

    mutating func removeAll() {
        edges.removeAll(keepingCapacity: true)
        left = .max
        right = .min
    }

    /// A polygon, closed whether it says so or not.
    mutating func add(_ points: [Point]) {
        guard points.count > 2, var last = points.last.map(Self.fixed) else { return }
        for point in points {
            let next = Self.fixed(point)
            left = min(left, next.x)
            right = max(right, next.x)
            if last.y < next.y {
                edges.append(Edge(x0: last.x, y0: last.y, x1: next.x, y1: next.y, winding: 1))
            } else if last.y > next.y {
                edges.append(Edge(x0: next.x, y0: next.y, x1: last.x, y1: last.y, winding: -1))
            }
            last = next
        }
    }

    private static func fixed(_ point: Point) -> (x: Int32, y: Int32) {
        (fixed(point.x), fixed(point.y))
    }

    private static func fixed(_ value: Double) -> Int32 {
        Int32((max(-reachMax, min(reachMax, value)) * unit).rounded())
    }
}
