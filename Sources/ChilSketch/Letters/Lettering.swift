/// Words in hollow letters, broken into lines so that the letters become as large as the area allows.
struct Lettering {
    /// More letters would be too small to colour: the words after are left out and "…" says so.
    static let letterCountMax = 36
    /// A longer word is broken, in letter heights.
    private static let wordWidthMax = 1_000.0
    private static let gap = 34.0
    private static let space = 72.0
    private static let lineHeight = 146.0
    private static let lineCountMax = 7

    private struct Word {
        var glyphs: [Glyph] = []
        var width: Double { glyphs.reduce(-Lettering.gap) { $0 + $1.width + Lettering.gap } }
    }

    /// What is drawn, as text.
    private(set) var text = ""
    private var words: [Word] = []

    var isEmpty: Bool { words.isEmpty }

    init(_ wish: CleanWish) {
        var count = 0
        for part in wish.text.split(separator: " ") {
            let letters = part.compactMap { letter in Glyph.of(letter).map { (letter, $0) } }
            guard letters.contains(where: { $0.0.isLetter || $0.0.isNumber }) else { continue }
            let room = Self.letterCountMax - count
            // Of a first word that is too long, its beginning; else whole words.
            let taken = letters.count > room && count == 0 ? Array(letters.prefix(room)) : letters
            if taken.count > room {
                end(with: "…")
                return
            }
            count += taken.count
            text += (text.isEmpty ? "" : " ") + String(taken.map(\.0))
            append(taken.map(\.1))
            if taken.count < letters.count {
                end(with: "…")
                return
            }
        }
    }

    /// The letters of each piece that stays in one line.
    var pieceLengths: [Int] { words.map(\.glyphs.count) }

    private mutating func append(_ glyphs: [Glyph]) {
        // In pieces of the same length: a last letter alone looks like a slip.
        let pieceCount = max(1, Int((Word(glyphs: glyphs).width / Self.wordWidthMax).rounded(.up)))
        let length = (glyphs.count + pieceCount - 1) / pieceCount
        for start in stride(from: 0, to: glyphs.count, by: max(1, length)) {
            words.append(Word(glyphs: Array(glyphs[start..<min(glyphs.count, start + length)])))
        }
    }

    private mutating func end(with mark: Character) {
        guard let glyph = Glyph.of(mark), let last = words.indices.last else { return }
        words[last].glyphs.append(glyph)
        text.append(mark)
    }

    /// Centred in `area`, whose units are pixels.
    func drawing(in area: Bounds, with pen: Pen) {
        var best: (scale: Double, lines: [[Word]]) = (0, [])
        for share in 1...40 {
            let lines = wrapped(to: 160 + Double(share) * 90)
            guard lines.count <= Self.lineCountMax || best.lines.isEmpty else { continue }
            let widest = lines.map(Self.width).max() ?? 1
            let high = Double(lines.count) * Self.lineHeight - (Self.lineHeight - 116)
            let scale = min(area.width / (widest + 16), area.height / high, area.height * 0.52 / 116)
            if scale > best.scale * 1.001 { best = (scale, lines) }
        }
        let high = Double(best.lines.count) * Self.lineHeight - (Self.lineHeight - 100)
        var y = area.middle.y - high / 2 * best.scale
        for line in best.lines {
            var x = area.middle.x - Self.width(of: line) / 2 * best.scale
            for word in line {
                for glyph in word.glyphs {
                    pen.at(x, y, scale: best.scale) {
                        pen.merged { for line in glyph.lines { pen.tube(line, width: glyph.weight) } }
                    }
                    x += (glyph.width + Self.gap) * best.scale
                }
                x += (Self.space - Self.gap) * best.scale
            }
            y += Self.lineHeight * best.scale
        }
    }

    private func wrapped(to width: Double) -> [[Word]] {
        var lines: [[Word]] = []
        for word in words {
            if let last = lines.last, Self.width(of: last + [word]) <= width {
                lines[lines.count - 1].append(word)
            } else {
                lines.append([word])
            }
        }
        return lines
    }

    private static func width(of line: [Word]) -> Double {
        line.reduce(-space) { $0 + $1.width + space }
    }
}
