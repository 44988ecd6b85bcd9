/// A point that a spline goes through: smoothly, or with a corner.
struct Knot: Sendable {
    let point: Point
    let isCorner: Bool

    static func p(_ x: Double, _ y: Double) -> Knot { Knot(point: Point(x, y), isCorner: false) }
    static func c(_ x: Double, _ y: Double) -> Knot { Knot(point: Point(x, y), isCorner: true) }
}

extension Path {
    /// How far a control point stands from its knot, in chords: four knots on a circle come out round.
    private static let reach = 0.39

    /// A closed curve through all knots.
    static func blob(_ knots: [Knot]) -> Path {
        spline(knots, isClosed: true)
    }

    /// An open curve through all knots.
    static func curve(_ knots: [Knot]) -> Path {
        spline(knots, isClosed: false)
    }

    /// Catmull-Rom's tangents, but as long as the chord at each side, so that unevenly spaced knots make no loops.
    private static func spline(_ knots: [Knot], isClosed: Bool) -> Path {
        var path = Path()
        guard let first = knots.first else { return path }
        path.move(first.point)
        let count = knots.count
        func tangent(_ index: Int, along chord: Point) -> Point {
            let isEnd = !isClosed && (index == 0 || index == count - 1)
            if knots[index].isCorner || isEnd { return chord.direction }
            return (knots[(index + 1) % count].point - knots[(index + count - 1) % count].point).direction
        }
        for index in 0..<(isClosed ? count : count - 1) {
            let next = (index + 1) % count
            let chord = knots[next].point - knots[index].point
            let handle = chord.length * reach
            path.cubic(
                knots[index].point + tangent(index, along: chord) * handle,
                knots[next].point - tangent(next, along: chord) * handle,
                knots[next].point
            )
        }
        if isClosed { path.close() }
        return path
    }
}
