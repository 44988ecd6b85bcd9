/// Lines and cubic Béziers, one or several contours.
struct Path: Equatable, Sendable {
    enum Element: Equatable, Sendable {
        case move(Point)
        case line(Point)
        case cubic(Point, Point, Point)
        case close
    }

    var elements: [Element] = []

    mutating func move(_ point: Point) { elements.append(.move(point)) }
    mutating func line(_ point: Point) { elements.append(.line(point)) }
    mutating func cubic(_ one: Point, _ two: Point, _ end: Point) { elements.append(.cubic(one, two, end)) }
    mutating func close() { elements.append(.close) }

    func mapped(_ transform: Transform) -> Path {
        Path(
            elements: elements.map { element in
                switch element {
                case .move(let point): .move(transform(point))
                case .line(let point): .line(transform(point))
                case .cubic(let one, let two, let end): .cubic(transform(one), transform(two), transform(end))
                case .close: .close
                }
            }
        )
    }

    static func + (one: Path, other: Path) -> Path {
        Path(elements: one.elements + other.elements)
    }
}

/// A contour as points that straight lines join.
struct Polyline: Equatable, Sendable {
    var points: [Point] = []
    var isClosed = false
}

extension Path {
    private static let pieceCountMax = 48.0

    /// No point of a curve is further than `tolerance` from its chords (the bound on a cubic's second difference).
    func flattened(tolerance: Double) -> [Polyline] {
        var lines: [Polyline] = []
        var current = Polyline()
        func end() {
            if !current.points.isEmpty { lines.append(current) }
        }
        for element in elements {
            switch element {
            case .move(let point):
                end()
                current = Polyline(points: [point])
            case .line(let point): current.points.append(point)
            case .cubic(let one, let two, let last):
                let start = current.points.last ?? one
                let bend = max((start - one * 2 + two).length, (one - two * 2 + last).length)
                let count = min(Self.pieceCountMax, max(1, (0.75 * bend / tolerance).squareRoot().rounded(.up)))
                for step in 1...Int(count) {
                    let t = Double(step) / count
                    let u = 1 - t
                    let near = start * (u * u * u) + one * (3 * u * u * t)
                    current.points.append(near + two * (3 * u * t * t) + last * (t * t * t))
                }
            case .close:
                current.isClosed = true
                end()
                current = Polyline(points: Array(current.points.prefix(1)))
            }
        }
        // What a `close` left behind is a lone point, which is nothing to draw.
        if current.points.count > 1 || elements.last != .close { end() }
        return lines
    }
}
