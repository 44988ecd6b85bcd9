/// A letter as the lines that a thick pen follows. Its height is 100, from y = 0 down.
struct Glyph: Sendable {
    var lines: [Path]
    var width: Double
    /// The thick pen's width.
    var weight: Double

    /// `strokes`: "l x y x y …" for straight lines, "s …" for a smooth one, "o x y across down" for an ellipse.
    init(width: Double, weight: Double = 15, _ strokes: String) {
        self.width = width
        self.weight = weight
        lines = Self.paths(strokes)
    }

    static func paths(_ strokes: String, in box: Bounds = Bounds(left: 0, top: 0, right: 100, bottom: 100)) -> [Path] {
        var paths: [Path] = []
        var kind: Substring = ""
        var numbers: [Double] = []
        func end() {
            let points = stride(from: 0, to: numbers.count - 1, by: 2).map { index in
                (box.left + numbers[index] * box.width / 100, box.top + numbers[index + 1] * box.height / 100)
            }
            guard let first = points.first else { return }
            switch kind {
            case "s": paths.append(.curve(points.map { .p($0.0, $0.1) }))
            case "o":
                paths.append(.ellipse(first.0, first.1, numbers[2] * box.width / 100, numbers[3] * box.height / 100))
            default: paths.append(.lines(points))
            }
            numbers = []
        }
        for word in strokes.split(separator: " ") {
            if let number = Double(word) {
                numbers.append(number)
            } else {
                end()
                kind = word
            }
        }
        end()
        return paths
    }

    /// The glyph of a character, `nil` if there is none: such characters are left out.
    static func of(_ character: Character) -> Glyph? {
        Hangul.glyph(of: character) ?? Latin.glyph(of: character)
    }
}
