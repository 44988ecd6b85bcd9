/// A place on the page or in a subject's own space; y grows downwards.
struct Point: Equatable, Sendable {
    var x: Double
    var y: Double

    init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    var length: Double { (x * x + y * y).squareRoot() }

    /// Of length one; a null vector stays what it is.
    var direction: Point {
        let length = length
        return length > 0 ? Point(x / length, y / length) : self
    }

    /// Turned a quarter.
    var normal: Point { Point(-y, x) }

    static func + (one: Point, other: Point) -> Point { Point(one.x + other.x, one.y + other.y) }
    static func - (one: Point, other: Point) -> Point { Point(one.x - other.x, one.y - other.y) }
    static func * (point: Point, factor: Double) -> Point { Point(point.x * factor, point.y * factor) }
    static prefix func - (point: Point) -> Point { Point(-point.x, -point.y) }

    func dot(_ other: Point) -> Double { x * other.x + y * other.y }
    func cross(_ other: Point) -> Double { x * other.y - y * other.x }
    func mixed(with other: Point, _ share: Double) -> Point { self + (other - self) * share }

    /// The place at an angle on a circle around the origin.
    static func polar(_ degrees: Double, _ radius: Double) -> Point {
        Point(Trigonometry.cosine(degrees) * radius, Trigonometry.sine(degrees) * radius)
    }
}
