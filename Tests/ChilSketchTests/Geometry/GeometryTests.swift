import Foundation
import Testing

@testable import ChilSketch

@Suite struct GeometryTests {
    @Test func sineAndCosineAreExactEnough() {
        for step in -2_000...2_000 {
            let degrees = Double(step) * 0.73
            #expect(abs(Trigonometry.sine(degrees) - sin(degrees * .pi / 180)) < 1e-12)
            #expect(abs(Trigonometry.cosine(degrees) - cos(degrees * .pi / 180)) < 1e-12)
        }
    }

    @Test func quarterTurnsAreExact() {
        #expect([0.0, 90, 180, 270, 360].map(Trigonometry.sine) == [0, 1, 0, -1, 0])
    }

    @Test func transformsAreComposedFromTheInside() {
        let outer = Transform(moveX: 10, 20, scale: 2, turn: 90)
        let inner = Transform(moveX: 1, 0, flip: true)
        let point = outer.after(inner)(Point(3, 4))
        let stepwise = outer(inner(Point(3, 4)))
        #expect(abs(point.x - stepwise.x) < 1e-9 && abs(point.y - stepwise.y) < 1e-9)
        #expect(inner(Point(3, 4)) == Point(-2, 4))
        #expect(abs(outer.scale - 2) < 1e-12)
    }

    /// Shapes that are circles by other means.
    @Test(arguments: [
        Path.circle(0, 0, 50), .arc(0, 0, 50, 50, from: 0, to: 360),
        .blob([.p(50, 0), .p(0, 50), .p(-50, 0), .p(0, -50)]),
    ])
    func roundIsRound(_ path: Path) {
        for line in path.flattened(tolerance: 0.05) {
            for point in line.points { #expect(abs(point.length - 50) < 0.6) }
        }
    }

    @Test func aFlattenedCurveKeepsItsTolerance() {
        for tolerance in [0.05, 0.5, 2] {
            let points = Path.circle(0, 0, 300).flattened(tolerance: tolerance)[0].points
            for (one, other) in zip(points, points.dropFirst()) {
                #expect(300 - one.mixed(with: other, 0.5).length < tolerance + 0.1)
            }
        }
    }

    @Test func splinesGoThroughTheirKnots() {
        let knots: [Knot] = [.p(0, 0), .c(40, 10), .p(60, 50), .p(10, 80)]
        let path = Path.curve(knots)
        #expect(path.elements.count == knots.count)
        let points = path.flattened(tolerance: 0.1)[0].points
        for knot in knots { #expect(points.contains { ($0 - knot.point).length < 1e-9 }) }
    }

    @Test func emptyPathsAreNothing() {
        #expect(Path.blob([]).elements.isEmpty && Path.lines([]).elements.isEmpty)
        #expect(Path().flattened(tolerance: 0.1).isEmpty)
    }
}
