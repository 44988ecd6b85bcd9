import Foundation
import Testing

@testable import ChilSketch

/// What the document says is so.
@Suite struct SketchbookDocumentTests {
    private static let text: String = {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return (try? String(contentsOf: root.appendingPathComponent("docs/sketchbook.md"), encoding: .utf8)) ?? ""
    }()

    @Test(arguments: Subject.allCases)
    func namesEachSubject(_ subject: Subject) {
        #expect(Self.text.contains("\(subject.english[0]) \(subject.korean[0])"))
    }

    @Test func tellsTheLimits() {
        for limit in [
            "| \(Sketchbook.wishScalarCountMax) Unicode scalars |", "| of one subject | \(Sketchbook.countMax) |",
            "| subjects on a page | \(Sketchbook.actorCountMax) |", "| hollow letters | \(Sketchbook.letterCountMax) |",
            "| \(SketchSize.sideMin) to \(SketchSize.sideMax) pixels, at most \(SketchSize.ratioMax):1 |",
        ] { #expect(Self.text.contains(limit), "\(limit)") }
        for kind in [Sketch.Kind.scene, .letters, .surprise] { #expect(Self.text.contains("| `\(kind.rawValue)` |")) }
        for level in SketchLevel.allCases { #expect(Self.text.contains("`\(level.rawValue)`")) }
    }
}
