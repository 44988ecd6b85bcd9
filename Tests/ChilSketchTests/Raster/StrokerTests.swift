import Foundation
import Testing

@testable import ChilSketch

@Suite struct StrokerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let path: Path
        let width: Double
        let area: Double
        var testDescription: String { name }
    }

    private static let cap = Double.pi * 25

    static let rows = [
        Row(name: "a line and its caps", path: .lines([(30, 50), (130, 50)]), width: 10, area: 1_000 + cap * 1),
        Row(name: "a slanted line", path: .lines([(30, 30), (90, 110)]), width: 10, area: 1_000 + cap),
        Row(name: "a point is a dot", path: .lines([(50, 50), (50, 50)]), width: 10, area: cap),
        Row(name: "there and back", path: .lines([(30, 50), (130, 50), (30, 50)]), width: 10, area: 1_000 + cap),
        // Each round corner adds a quarter disc less the square that both pieces share.
        Row(
            name: "an angle",
            path: .lines([(30, 30), (130, 30), (130, 130)]),
            width: 10,
            area: 2_000 + cap - 25 + cap / 4
        ),
        Row(name: "a closed square", path: .box(30, 30, 100, 100), width: 10, area: 4_000 - 100 + cap),
        Row(name: "a closed circle", path: .circle(100, 100, 60), width: 10, area: 2 * .pi * 60 * 10),
        Row(name: "a circle thinner than its pen", path: .circle(100, 100, 10), width: 40, area: .pi * 900),
        Row(
            name: "a cross counts once",
            path: .lines([(30, 80), (130, 80)]) + .lines([(80, 30), (80, 130)]),
            width: 10,
            area: 2_000 - 100 + 2 * cap
        ),
    ]

    @Test(arguments: rows)
    func areasAreExact(_ row: Row) {
        var edges = EdgeList()
        for line in row.path.flattened(tolerance: 0.02) { Stroker(reach: row.width / 2).outline(line, into: &edges) }
        var canvas = Canvas(width: 200, height: 200, tone: 255)
        canvas.fill(edges, tone: 0)
        let area = canvas.samples.reduce(0) { $0 + Double(255 - $1) } / 255
        #expect(abs(area - row.area) < max(0.7, row.area * 0.006), "\(area) for \(row.area)")
    }

    /// A pen never leaves holes where a curve is tighter than the pen is wide.
    @Test func tightCurvesAreFull() {
        let path = Path.curve([.p(60, 60), .p(100, 100), .p(62, 64), .p(100, 60), .p(60, 100)])
        var edges = EdgeList()
        let lines = path.flattened(tolerance: 0.1)
        for line in lines { Stroker(reach: 12).outline(line, into: &edges) }
        var canvas = Canvas(width: 200, height: 200, tone: 255)
        canvas.fill(edges, tone: 0)
        for point in lines.flatMap(\.points) {
            for turn in stride(from: 0.0, to: 360, by: 30) {
                let place = point + Point.polar(turn, 10)
                #expect(canvas.samples[Int(place.y) * 200 + Int(place.x)] == 0)
            }
        }
    }
}
