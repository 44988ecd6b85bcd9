import Testing

@testable import ChilSketch

@Suite struct SubjectTests {
    private static func drawing(_ subject: Subject, seed: UInt64, level: SketchLevel = .medium) -> Drawing {
        let pen = Pen(dice: Dice(seed: seed), level: level)
        subject.draw(with: pen)
        return pen.drawing
    }

    private static func canvas(_ drawing: Drawing, side: Int = 200) -> Canvas {
        var painter = Painter(width: side, height: side)
        let bounds = drawing.bounds
        let scale = Double(side) * 0.86 / max(bounds.width, bounds.height)
        let middle = Double(side) / 2
        painter.paint(
            drawing,
            by: Transform(moveX: middle - bounds.middle.x * scale, middle - bounds.middle.y * scale, scale: scale),
            pen: Double(side) * 0.012
        )
        return painter.canvas
    }

    @Test func thereAreEnough() {
        #expect(Subject.allCases.count >= 36)
    }

    /// Something to colour, whatever the dice say: closed areas, not too much ink, all of it where the bounds say.
    @Test(arguments: Subject.allCases)
    func canBeColoured(_ subject: Subject) {
        for (seed, level) in SketchLevel.allCases.enumerated() {
            let drawing = Self.drawing(subject, seed: UInt64(seed), level: level)
            let ink = Ink(canvas: Self.canvas(drawing))
            #expect((0.02...0.25).contains(ink.share), "\(level): \(ink.share)")
            #expect(ink.isClear(margin: 4), "\(level)")
            // The paper around is one.
            #expect(ink.regionCount(shareMin: 0.000_6) >= 3, "\(level)")
        }
    }

    /// No two seeds draw the same, and some pair is far from alike: a hundredth of all pixels.
    @Test(arguments: Subject.allCases)
    func seedsMakeADifference(_ subject: Subject) {
        let pages = (1...6).map { Self.canvas(Self.drawing(subject, seed: UInt64($0)), side: 100) }
        #expect(Set(pages.map { Ink(canvas: $0).digest }).count == pages.count)
        let changes = pages.dropFirst().map { page in
            zip(page.samples, pages[0].samples).count { abs(Int($0) - Int($1)) > 100 }
        }
        #expect((changes.max() ?? 0) > 100)
    }

    /// Feet on the ground, and about a hundred units high: a scene counts on it.
    @Test(arguments: Subject.allCases)
    func keepsItsSpace(_ subject: Subject) {
        for seed in 1...3 {
            let bounds = Self.drawing(subject, seed: UInt64(seed)).bounds
            #expect((40...180).contains(bounds.height) && (30...180).contains(bounds.width), "seed \(seed): \(bounds)")
        }
    }
}
