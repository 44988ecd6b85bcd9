/// An upright rectangle; empty until it takes in its first point.
struct Bounds: Equatable, Sendable {
    private(set) var left = Double.infinity
    private(set) var top = Double.infinity
    private(set) var right = -Double.infinity
    private(set) var bottom = -Double.infinity

    init() {}

    init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    var isEmpty: Bool { left > right }
    var width: Double { isEmpty ? 0 : right - left }
    var height: Double { isEmpty ? 0 : bottom - top }
    var middle: Point { Point((left + right) / 2, (top + bottom) / 2) }

    mutating func take(_ point: Point, reach: Double = 0) {
        left = min(left, point.x - reach)
        right = max(right, point.x + reach)
        top = min(top, point.y - reach)
        bottom = max(bottom, point.y + reach)
    }

    mutating func take(_ other: Bounds) {
        guard !other.isEmpty else { return }
        take(Point(other.left, other.top))
        take(Point(other.right, other.bottom))
    }

    func inset(by margin: Double) -> Bounds {
        Bounds(left: left + margin, top: top + margin, right: right - margin, bottom: bottom - margin)
    }

    func overlaps(_ other: Bounds) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
}
