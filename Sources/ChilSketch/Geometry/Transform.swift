/// An affine map: scaled, turned, mirrored and moved.
struct Transform: Equatable, Sendable {
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 1.0
    var x = 0.0
    var y = 0.0

    static let identity = Self()

    init() {}

    /// First mirrored (at x = 0) and scaled, then turned (clockwise as seen), then moved.
    init(moveX: Double, _ moveY: Double, scale: Double = 1, stretch: Double = 1, turn: Double = 0, flip: Bool = false) {
        let (sine, cosine) = (Trigonometry.sine(turn), Trigonometry.cosine(turn))
        let across = flip ? -scale : scale
        a = cosine * across
        b = sine * across
        c = -sine * scale * stretch
        d = cosine * scale * stretch
        x = moveX
        y = moveY
    }

    func callAsFunction(_ point: Point) -> Point {
        Point(a * point.x + c * point.y + x, b * point.x + d * point.y + y)
    }

    /// The map that does `inner` first.
    func after(_ inner: Transform) -> Transform {
        var all = Transform()
        all.a = a * inner.a + c * inner.b
        all.b = b * inner.a + d * inner.b
        all.c = a * inner.c + c * inner.d
        all.d = b * inner.c + d * inner.d
        let moved = self(Point(inner.x, inner.y))
        all.x = moved.x
        all.y = moved.y
        return all
    }

    /// What a length becomes, as a mean over the directions.
    var scale: Double { abs(a * d - b * c).squareRoot() }
}
