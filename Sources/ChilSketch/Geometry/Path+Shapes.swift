extension Path {
    /// How far a quarter circle's control points stand from its ends, in radii.
    private static let quarter = 0.552_284_749_8

    static func circle(_ x: Double, _ y: Double, _ radius: Double) -> Path {
        ellipse(x, y, radius, radius)
    }

    static func ellipse(_ x: Double, _ y: Double, _ across: Double, _ down: Double, turn: Double = 0) -> Path {
        let k = quarter
        var path = Path()
        path.move(Point(1, 0))
        path.cubic(Point(1, k), Point(k, 1), Point(0, 1))
        path.cubic(Point(-k, 1), Point(-1, k), Point(-1, 0))
        path.cubic(Point(-1, -k), Point(-k, -1), Point(0, -1))
        path.cubic(Point(k, -1), Point(1, -k), Point(1, 0))
        path.close()
        var stretched = Transform()
        stretched.a = across
        stretched.d = down
        return path.mapped(Transform(moveX: x, y, turn: turn).after(stretched))
    }

    /// Left, top, width, height.
    static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, round: Double = 0) -> Path {
        polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], round: round)
    }

    static func polygon(_ corners: [(Double, Double)], round: Double = 0) -> Path {
        let points = corners.map { Point($0.0, $0.1) }
        var path = Path()
        for (index, corner) in points.enumerated() {
            let before = points[(index + points.count - 1) % points.count] - corner
            let after = points[(index + 1) % points.count] - corner
            let reach = min(round, before.length / 2, after.length / 2)
            let (start, end) = (corner + before.direction * reach, corner + after.direction * reach)
            if index == 0 { path.move(start) } else { path.line(start) }
            guard reach > 0 else { continue }
            path.cubic(start.mixed(with: corner, quarter), end.mixed(with: corner, quarter), end)
        }
        path.close()
        return path
    }

    static func lines(_ points: [(Double, Double)]) -> Path {
        var path = Path()
        for (index, point) in points.enumerated() {
            if index == 0 { path.move(Point(point.0, point.1)) } else { path.line(Point(point.0, point.1)) }
        }
        return path
    }

    /// From one angle to another, in degrees; 0 is right and 90 is down.
    static func arc(_ x: Double, _ y: Double, _ across: Double, _ down: Double, from: Double, to: Double) -> Path {
        let count = max(1, (abs(to - from) / 45).rounded(.up))
        let step = (to - from) / count
        // 4/3 tan(step/4), by the half-angle formula.
        let quarter = step / 2
        let handle = 4.0 / 3 * Trigonometry.sine(quarter) / (1 + Trigonometry.cosine(quarter))
        var path = Path()
        for index in 0...Int(count) {
            let angle = from + step * Double(index)
            let unit = Point.polar(angle, 1)
            let end = Point(x + unit.x * across, y + unit.y * down)
            guard index > 0 else {
                path.move(end)
                continue
            }
            let last = Point.polar(angle - step, 1)
            let one = last + last.normal * handle
            let two = unit - unit.normal * handle
            path.cubic(Point(x + one.x * across, y + one.y * down), Point(x + two.x * across, y + two.y * down), end)
        }
        return path
    }

    static func star(
        _ x: Double,
        _ y: Double,
        _ outer: Double,
        _ inner: Double,
        points: Int = 5,
        round: Double = 0,
        turn: Double = 0
    )
        -> Path
    {
        let corners = (0..<points * 2).map { index -> (Double, Double) in
            let angle = turn - 90 + Double(index) * 180 / Double(points)
            let corner = Point.polar(angle, index % 2 == 0 ? outer : inner)
            return (x + corner.x, y + corner.y)
        }
        return polygon(corners, round: round)
    }

    static func heart(_ x: Double, _ y: Double, _ size: Double) -> Path {
        var path = Path()
        path.move(Point(x, y - size * 0.45))
        path.cubic(
            Point(x + size * 0.25, y - size * 1.05),
            Point(x + size * 1.15, y - size * 0.85),
            Point(x + size, y - size * 0.15)
        )
        path.cubic(
            Point(x + size * 0.88, y + size * 0.3),
            Point(x + size * 0.3, y + size * 0.6),
            Point(x, y + size * 0.9)
        )
        path.cubic(
            Point(x - size * 0.3, y + size * 0.6),
            Point(x - size * 0.88, y + size * 0.3),
            Point(x - size, y - size * 0.15)
        )
        path.cubic(
            Point(x - size * 1.15, y - size * 0.85),
            Point(x - size * 0.25, y - size * 1.05),
            Point(x, y - size * 0.45)
        )
        path.close()
        return path
    }
}
