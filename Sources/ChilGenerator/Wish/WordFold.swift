/// A text as words are compared in: whatever its case, width, spacing or composition.
///
/// Characters are compared by canonical equivalence, so that composed and decomposed Hangul are one. Full-width letters are their plain ones;
/// what nobody sees is left out; marks between letters part nothing (`g.u.n`), and letters that stand alone are joined (`g u n`).
struct WordFold {
    /// Letters and digits between spaces and marks.
    let words: [[Character]]
    /// Letters that stand alone, one after another: `a g u n`.
    let spelled: [[Character]]
    /// All of them in a row: how Hangul is looked through, which is written with spaces or without.
    let joined: [Character]

    init(_ text: String) {
        var words: [[Character]] = []
        var spelled: [[Character]] = []
        var single: [Character] = []
        func endSingles() {
            if !single.isEmpty { words.append(single) }
            if single.count > 1 { spelled.append(single) }
            single = []
        }
        for piece in Self.plain(text).lowercased().split(whereSeparator: { $0.isWhitespace }) {
            var letters: [Character] = []
            var parts: [[Character]] = [[]]
            for character in piece {
                if character.isLetter || character.isNumber {
                    letters.append(character)
                    parts[parts.count - 1].append(character)
                } else if parts.last?.isEmpty == false {
                    parts.append([])
                }
            }
            parts.removeAll { $0.isEmpty }
            if letters.count == 1 {
                single.append(letters[0])
                continue
            }
            endSingles()
            if letters.isEmpty { continue }
            // Marks between single letters hide a word; between words they part them.
            if parts.count > 1, parts.allSatisfy({ $0.count == 1 }) {
                words.append(letters)
            } else {
                words += parts
            }
        }
        endSingles()
        self.words = words
        self.spelled = spelled
        joined = words.flatMap { $0 }
    }

    /// Without what nobody sees, full-width forms (U+FF01–U+FF5E) as their ASCII ones.
    private static func plain(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0xFF01...0xFF5E:
                if let narrow = Unicode.Scalar(scalar.value - 0xFEE0) { kept.append(narrow) }
            case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFE00...0xFE0F, 0xFEFF: continue
            default: kept.append(scalar)
            }
        }
        return String(kept)
    }
}

extension Character {
    /// Hangul syllables, and letters that stand alone.
    var isHangul: Bool {
        guard let first = unicodeScalars.first?.value else { return false }
        return 0xAC00...0xD7A3 ~= first || 0x1100...0x11FF ~= first || 0x3130...0x318F ~= first
    }
}
