/// Turns lines into the outline of a stroke with round joins and caps.
struct Stroker {
    /// Half the stroke's width, in pixels.
    let reach: Double
    /// How far a round corner's chord may be from the circle, in pixels.
    private static let tolerance = 0.08
    /// Turns below this need no corner: the cosine of six degrees.
    private static let straight = 0.994_5

    func outline(_ line: Polyline, into edges: inout EdgeList) {
        var points = Self.distinct(line.points)
        if line.isClosed, points.count > 1, Self.isSame(points[0], points[points.count - 1]) { points.removeLast() }
        guard points.count > 1 else {
            if let point = points.first { edges.add(circle(around: point)) }
            return
        }
        if line.isClosed, points.count > 2 {
            edges.add(side(of: points, isClosed: true))
            edges.add(side(of: points.reversed(), isClosed: true))
        } else {
            edges.add(side(of: points, isClosed: false) + side(of: points.reversed(), isClosed: false))
        }
    }

    /// What lies left of the way; an open way's cap at its end included.
    private func side(of points: [Point], isClosed: Bool) -> [Point] {
        var outline: [Point] = []
        let count = points.count
        let pieceCount = isClosed ? count : count - 1
        func normal(_ index: Int) -> Point {
            (points[(index + 1) % count] - points[index % count]).direction.normal * reach
        }
        var current = normal(0)
        for index in 0..<pieceCount {
            outline.append(points[index] + current)
            let end = points[(index + 1) % count]
            outline.append(end + current)
            if !isClosed, index == pieceCount - 1 {
                arc(around: end, from: current, to: -current, into: &outline)
                break
            }
            let next = normal(index + 1)
            if current.dot(next) < reach * reach * Self.straight {
                // A way that turns right back has a round end too.
                if current.cross(next) <= 0 {
                    arc(around: end, from: current, to: next, into: &outline)
                } else {
                    // The inner side of a corner, by way of the corner: no part of either piece is lost.
                    outline.append(end)
                }
            }
            current = next
        }
        return outline
    }

    /// The points between two ends of an arc that turns against the clock as seen, by halving.
    private func arc(around centre: Point, from start: Point, to end: Point, into outline: inout [Point]) {
        let chord = start + end
        // Ends that face each other have no middle of their own.
        let middle = chord.length > reach * 1e-6 ? chord.direction * reach : -start.normal
        guard reach - start.mixed(with: middle, 0.5).length > Self.tolerance else {
            outline.append(centre + middle)
            return
        }
        arc(around: centre, from: start, to: middle, into: &outline)
        outline.append(centre + middle)
        arc(around: centre, from: middle, to: end, into: &outline)
    }

    private func circle(around centre: Point) -> [Point] {
        var outline: [Point] = []
        let start = Point(reach, 0)
        outline.append(centre + start)
        arc(around: centre, from: start, to: -start, into: &outline)
        outline.append(centre - start)
        arc(around: centre, from: -start, to: start, into: &outline)
        return outline
    }

    private static func distinct(_ points: [Point]) -> [Point] {
        var kept: [Point] = []
        for point in points where kept.last.map({ !isSame($0, point) }) ?? true { kept.append(point) }
        return kept
    }

    private static func isSame(_ one: Point, _ other: Point) -> Bool {
        (one - other).length < 1e-4
    }
}
