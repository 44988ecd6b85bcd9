/// The lines of single Hangul letters, fitted into a box.
enum Jamo {
    enum Shape { case tall, flat, both }

    static func shape(ofVowel vowel: Int) -> Shape {
        switch vowel {
        case 8, 12, 13, 17, 18: .flat
        case 9, 10, 11, 14, 15, 16, 19: .both
        default: .tall
        }
    }

    /// Those of two uprights: ㅐ ㅒ ㅔ ㅖ.
    static func isWide(_ vowel: Int) -> Bool {
        [1, 3, 5, 7].contains(vowel)
    }

    /// Two letters share the box side by side.
    static func consonant(_ letters: [Character], in box: Bounds) -> [Path] {
        guard letters.count > 1 else { return letters.first.map { consonant($0, in: box) } ?? [] }
        let gap = box.width * 0.26
        let wide = (box.width - gap) / 2
        let left = Bounds(left: box.left, top: box.top, right: box.left + wide, bottom: box.bottom)
        let right = Bounds(left: box.right - wide, top: box.top, right: box.right, bottom: box.bottom)
        return consonant(letters[0], in: left) + consonant(letters[1], in: right)
    }

    private static func consonant(_ letter: Character, in box: Bounds) -> [Path] {
        let strokes =
            switch letter {
            case "ㄱ": "l 0 0 100 0 100 100"
            case "ㄴ": "l 0 0 0 100 100 100"
            case "ㄷ": "l 100 0 0 0 0 100 100 100"
            case "ㄹ": "l 0 0 100 0 100 50 0 50 0 100 100 100"
            case "ㅁ": "l 0 0 100 0 100 100 0 100 0 0"
            case "ㅂ": "l 0 0 0 100 100 100 100 0 l 0 46 100 46"
            case "ㅅ": "s 50 0 42 44 0 100 s 48 34 66 68 100 100"
            case "ㅇ": "o 50 50 48 50"
            case "ㅈ": "l 2 0 98 0 s 50 0 42 46 0 100 s 48 40 66 70 100 100"
            case "ㅊ": "l 34 -4 66 -4 l 2 28 98 28 s 50 28 42 60 0 104 s 48 56 66 78 100 104"
            case "ㅋ": "l 0 0 100 0 100 100 l 0 48 100 48"
            case "ㅌ": "l 100 0 0 0 0 100 100 100 l 0 50 96 50"
            case "ㅍ": "l 0 0 100 0 l 28 0 28 100 l 72 0 72 100 l 0 100 100 100"
            default: "l 34 -6 66 -6 l 0 24 100 24 o 50 74 36 30"
            }
        return Glyph.paths(strokes, in: box)
    }

    /// `box` for the upright part, `across` for the level one.
    static func vowel(_ vowel: Int, in box: Bounds, across: Bounds) -> [Path] {
        switch vowel {
        case 9: return flat(8, across) + tall(0, box)
        case 10: return flat(8, across) + tall(1, box)
        case 11: return flat(8, across) + tall(20, box)
        case 14: return flat(13, across) + tall(4, box)
        case 15: return flat(13, across) + tall(5, box)
        case 16: return flat(13, across) + tall(20, box)
        case 19: return flat(18, across) + tall(20, box)
        case 8, 12, 13, 17, 18: return flat(vowel, across)
        default: return tall(vowel, box)
        }
    }

    private static func tall(_ vowel: Int, _ box: Bounds) -> [Path] {
        let strokes =
            switch vowel {
            case 0: "l 30 0 30 100 l 30 48 100 48"
            case 1: "l 16 2 16 98 l 84 0 84 100 l 16 48 84 48"
            case 2: "l 30 0 30 100 l 30 36 100 36 l 30 64 100 64"
            case 3: "l 16 2 16 98 l 84 0 84 100 l 16 36 84 36 l 16 64 84 64"
            case 4: "l 80 0 80 100 l 0 48 80 48"
            case 5: "l 46 2 46 98 l 100 0 100 100 l -12 48 46 48"
            case 6: "l 80 0 80 100 l 0 36 80 36 l 0 64 80 64"
            case 7: "l 46 2 46 98 l 100 0 100 100 l -12 36 46 36 l -12 64 46 64"
            default: "l 56 0 56 100"
            }
        return Glyph.paths(strokes, in: box)
    }

    private static func flat(_ vowel: Int, _ box: Bounds) -> [Path] {
        let strokes =
            switch vowel {
            case 8: "l 0 84 100 84 l 50 0 50 84"
            case 12: "l 0 84 100 84 l 32 0 32 84 l 68 0 68 84"
            case 13: "l 0 10 100 10 l 50 10 50 100"
            case 17: "l 0 10 100 10 l 32 10 32 100 l 68 10 68 100"
            default: "l 0 50 100 50"
            }
        return Glyph.paths(strokes, in: box)
    }
}
