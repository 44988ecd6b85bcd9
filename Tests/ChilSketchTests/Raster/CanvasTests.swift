import Foundation
import Testing

@testable import ChilSketch

/// Areas whose size is known, to a thousandth.
@Suite struct CanvasTests {
    private static func area(_ polygons: [[(Double, Double)]], width: Int = 200, height: Int = 200) -> Double {
        var edges = EdgeList()
        for polygon in polygons { edges.add(polygon.map { Point($0.0, $0.1) }) }
        return blackArea(edges, width: width, height: height)
    }

    private static func blackArea(_ edges: EdgeList, width: Int = 200, height: Int = 200) -> Double {
        var canvas = Canvas(width: width, height: height, tone: 255)
        canvas.fill(edges, tone: 0)
        return canvas.samples.reduce(0) { $0 + Double(255 - $1) } / 255
    }

    private static func square(_ x: Double, _ y: Double, _ side: Double) -> [(Double, Double)] {
        [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let polygons: [[(Double, Double)]]
        let area: Double
        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "square on whole pixels", polygons: [square(20, 20, 50)], area: 2_500),
        Row(name: "square between pixels", polygons: [square(20.5, 30.25, 50.5)], area: 2_550.25),
        Row(name: "less than a pixel", polygons: [square(10.25, 10.25, 0.5)], area: 0.25),
        Row(name: "triangle", polygons: [[(10, 10), (110, 10), (10, 110)]], area: 5_000),
        Row(name: "overlap counts once", polygons: [square(20, 20, 50), square(45, 45, 50)], area: 4_375),
        Row(name: "the same twice", polygons: [square(20, 20, 50), square(20, 20, 50)], area: 2_500),
        Row(
            name: "a hole goes the other way",
            polygons: [square(20, 20, 60), square(30, 30, 40).reversed()],
            area: 2_000
        ),
        Row(name: "no hole the same way", polygons: [square(20, 20, 60), square(30, 30, 40)], area: 3_600),
        // Two lobes of opposite turns: both are inside by the non-zero rule.
        Row(name: "figure of eight", polygons: [[(20, 20), (120, 120), (120, 20), (20, 120)]], area: 5_000),
        Row(name: "half outside left and above", polygons: [square(-25, -25, 50)], area: 625),
        Row(name: "half outside right and below", polygons: [square(175, 175, 50)], area: 625),
        Row(name: "around the whole page", polygons: [square(-1_000, -1_000, 5_000)], area: 40_000),
        Row(name: "far outside", polygons: [square(1e9, 1e9, 50), square(-1e12, 20, 10)], area: 0),
        Row(name: "above and below one another", polygons: [square(20, 20, 10), square(20, 150, 10)], area: 200),
        Row(name: "no area", polygons: [[(10, 10), (90, 90), (10, 10)], [(5, 5)], []], area: 0),
    ]

    @Test(arguments: rows)
    func areasAreExact(_ row: Row) {
        #expect(abs(Self.area(row.polygons) - row.area) <= max(0.35, row.area * 0.001))
    }

    @Test(arguments: [3.0, 20, 60, 95])
    func circlesAreExact(_ radius: Double) {
        var edges = EdgeList()
        for line in Path.circle(100.3, 99.7, radius).flattened(tolerance: 0.01) { edges.add(line.points) }
        let exact = Double.pi * radius * radius
        #expect(abs(Self.blackArea(edges) - exact) < exact * 0.002 + 0.2)
    }

    /// All points of a star's outline wind around its middle twice.
    @Test func aPentagramHasAFullMiddle() {
        let corners = (0..<5).map { Point.polar(Double($0) * 144 - 90, 80) }
        var edges = EdgeList()
        edges.add(corners.map { $0 + Point(100, 100) })
        var canvas = Canvas(width: 200, height: 200, tone: 255)
        canvas.fill(edges, tone: 0)
        #expect(canvas.samples[100 * 200 + 100] == 0)
    }

    @Test func anEdgeThroughAPixelIsGrey() {
        var edges = EdgeList()
        edges.add(Self.square(10.5, 10, 20).map { Point($0.0, $0.1) })
        var canvas = Canvas(width: 40, height: 40, tone: 255)
        canvas.fill(edges, tone: 0)
        #expect((126...129).contains(canvas.samples[15 * 40 + 10]))
        #expect(canvas.samples[15 * 40 + 9] == 255 && canvas.samples[15 * 40 + 11] == 0)
    }

    @Test func aMaskLetsThroughWhatItCovers() {
        var edges = EdgeList()
        edges.add(Self.square(0, 0, 50).map { Point($0.0, $0.1) })
        var mask = Canvas(width: 100, height: 100, tone: 0)
        mask.fill(edges, tone: 255)
        var all = EdgeList()
        all.add(Self.square(0, 0, 100).map { Point($0.0, $0.1) })
        var canvas = Canvas(width: 100, height: 100, tone: 255)
        canvas.fill(all, tone: 0, mask: mask)
        #expect(canvas.samples.filter { $0 == 0 }.count == 2_500)
        #expect(canvas.samples.filter { $0 == 255 }.count == 7_500)
    }
}
