/// Syllables put together from their letters, as a child writes them (Unicode §3.12 for the arithmetic).
enum Hangul {
    /// Places in Unicode's order of initials, vowels and finals; `final` 0 is none.
    struct Syllable: Equatable {
        var initial: Int
        var vowel: Int
        var final: Int
    }

    static func syllable(_ character: Character) -> Syllable? {
        let values = character.unicodeScalars.map { Int($0.value) }
        guard let first = values.first else { return nil }
        if (0xAC00...0xD7A3).contains(first) {
            let index = first - 0xAC00
            // A final may follow a syllable that has none.
            let extra = values.count > 1 && (0x11A8...0x11C2).contains(values[1]) ? values[1] - 0x11A7 : 0
            return Syllable(initial: index / 588, vowel: index % 588 / 28, final: max(index % 28, extra))
        }
        guard values.count > 1, (0x1100...0x1112).contains(first), (0x1161...0x1175).contains(values[1]) else {
            return nil
        }
        let final = values.count > 2 && (0x11A8...0x11C2).contains(values[2]) ? values[2] - 0x11A7 : 0
        return Syllable(initial: first - 0x1100, vowel: values[1] - 0x1161, final: final)
    }

    static func endsInConsonant(_ text: String) -> Bool {
        (text.last.flatMap(syllable)?.final ?? 0) > 0
    }

    static func glyph(of character: Character) -> Glyph? {
        if let syllable = syllable(character) { return glyph(of: syllable) }
        guard let value = character.unicodeScalars.first?.value else { return nil }
        let whole = Bounds(left: 8, top: 8, right: 84, bottom: 92)
        switch value {
        case 0x3131...0x314E: return glyph(Jamo.consonant(alone[Int(value) - 0x3131], in: whole), weight: 12)
        case 0x314F...0x3163: return glyph(Jamo.vowel(Int(value) - 0x314F, in: whole, across: whole), weight: 12)
        default: return nil
        }
    }

    private static func glyph(_ lines: [Path], width: Double = 92, weight: Double) -> Glyph {
        var glyph = Glyph(width: width, weight: weight, "")
        glyph.lines = lines
        return glyph
    }

    private static func glyph(of syllable: Syllable) -> Glyph {
        let consonant = initials[syllable.initial]
        let final = finals[syllable.final]
        let hasFinal = !final.isEmpty
        let bottom = hasFinal ? 56.0 : 98
        func box(_ left: Double, _ top: Double, _ right: Double, _ down: Double) -> Bounds {
            Bounds(left: left, top: top * bottom / 100, right: right, bottom: down * bottom / 100)
        }
        // A doubled initial beside an upright vowel needs room.
        let extra = consonant.count > 1 && Jamo.shape(ofVowel: syllable.vowel) != .flat ? 16.0 : 0
        var lines: [Path]
        switch Jamo.shape(ofVowel: syllable.vowel) {
        case .tall:
            let isWide = Jamo.isWide(syllable.vowel)
            lines = Jamo.consonant(
                consonant,
                in: box(2, hasFinal ? 8 : 14, (isWide ? 42 : 48) + extra, hasFinal ? 90 : 84)
            )
            let left = (isWide ? 54 : 64) + extra
            lines += Jamo.vowel(syllable.vowel, in: box(left, 0, 92 + extra, 100), across: box(0, 0, 0, 0))
        case .flat:
            lines = Jamo.consonant(consonant, in: box(18, 0, 74, hasFinal ? 54 : 48))
            lines += Jamo.vowel(syllable.vowel, in: box(0, 0, 0, 0), across: box(0, hasFinal ? 68 : 62, 92, 100))
        case .both:
            lines = Jamo.consonant(consonant, in: box(4, 4, 46 + extra, 46))
            lines += Jamo.vowel(
                syllable.vowel,
                in: box(68 + extra, 0, 94 + extra, 100),
                across: box(0, 60, 56 + extra, 92)
            )
        }
        if hasFinal { lines += Jamo.consonant(final, in: Bounds(left: 16, top: 72, right: 82 + extra, bottom: 99)) }
        let isDense =
            final.count > 1 || consonant.count > 1 || Jamo.shape(ofVowel: syllable.vowel) == .both
            || Jamo.isWide(syllable.vowel)
        return glyph(lines, width: 92 + extra, weight: isDense ? (hasFinal ? 8 : 9.5) : hasFinal ? 9.5 : 12)
    }

    // Letters in the order of Unicode, doubled and joined ones as their parts.
    static let initials: [[Character]] = parts(of: "ㄱ ㄱㄱ ㄴ ㄷ ㄷㄷ ㄹ ㅁ ㅂ ㅂㅂ ㅅ ㅅㅅ ㅇ ㅈ ㅈㅈ ㅊ ㅋ ㅌ ㅍ ㅎ")
    static let finals: [[Character]] =
        [[]] + parts(of: "ㄱ ㄱㄱ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅅㅅ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ")
    /// U+3131 … U+314E.
    static let alone: [[Character]] = parts(
        of: "ㄱ ㄱㄱ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄷㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅂ ㅂㅅ ㅅ ㅅㅅ ㅇ ㅈ ㅈㅈ ㅊ ㅋ ㅌ ㅍ ㅎ"
    )

    private static func parts(of letters: String) -> [[Character]] {
        letters.split(separator: " ").map(Array.init)
    }
}
