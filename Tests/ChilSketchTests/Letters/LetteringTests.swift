import Foundation
import Testing

@testable import ChilSketch

@Suite struct LetteringTests {
    @Test func everySyllableHasItsLines() throws {
        // Every initial with every vowel, and every final.
        for initial in 0..<19 {
            for vowel in 0..<21 {
                for final in vowel == 0 || initial == 0 ? Array(0..<28) : [0, 4] {
                    let scalar = try #require(Unicode.Scalar(UInt32(0xAC00 + (initial * 21 + vowel) * 28 + final)))
                    #expect(
                        Hangul.syllable(Character(scalar))
                            == Hangul.Syllable(initial: initial, vowel: vowel, final: final)
                    )
                    let glyph = try #require(Glyph.of(Character(scalar)))
                    var bounds = Bounds()
                    for point in glyph.lines.flatMap({ $0.flattened(tolerance: 1) }).flatMap(\.points) {
                        bounds.take(point)
                    }
                    #expect(
                        bounds.left >= -5 && bounds.right <= glyph.width + 8 && bounds.top >= -5
                            && bounds.bottom <= 105,
                        "\(scalar)"
                    )
                    #expect(glyph.lines.count >= 2)
                }
            }
        }
    }

    @Test func decomposedSyllablesAreTheSame() {
        for text in ["각", "뷁", "아", "없"] {
            let apart = text.decomposedStringWithCanonicalMapping
            #expect(apart.unicodeScalars.count > 1)
            #expect(Hangul.syllable(Character(apart)) == Hangul.syllable(Character(text)))
        }
    }

    @Test func lettersAndDigitsAreThere() {
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789ÀÉñöüÇ!?.,-'+ㄱㅎㅏㅣㅄ" {
            #expect(Glyph.of(letter) != nil, "\(letter)")
        }
        for other in "猫ねこкот😀🇰🇷 \u{200D}‎½×" { #expect(Glyph.of(other) == nil, "\(other)") }
    }

    @Test(arguments: [
        ("짜장면", "짜장면"), ("hello  world", "hello world"), ("😀 hi 😀", "hi"), ("猫", ""), ("!!! ???", ""),
        ("생일 축하해!", "생일 축하해!"),
        ("one two three four five six seven eight nine ten", "one two three four five six seven eight nine…"),
        ("abcdefghijklmnopqrstuvwxyz0123456789abcdefgh", "abcdefghijklmnopqrstuvwxyz0123456789…"),
        ("hi abcdefghijklmnopqrstuvwxyz0123456789", "hi…"),
    ])
    func whatIsDrawnIsBounded(_ wish: String, _ text: String) {
        #expect(Lettering(CleanWish(wish)).text == text)
        #expect(Lettering(CleanWish(wish)).isEmpty == text.isEmpty)
    }

    @Test(arguments: [
        ("happy birthday", [5, 8]), ("짜장면 먹고", [3, 2]), ("dinosauriers", [6, 6]), ("가나다라마바사아자차카타", [6, 6]),
    ])
    func longWordsBreakEvenly(_ wish: String, _ lengths: [Int]) {
        #expect(Lettering(CleanWish(wish)).pieceLengths == lengths)
    }

    /// Hollow: each letter is an area that can be coloured.
    @Test(arguments: [("ABC", 3), ("한글", 2), ("7", 1), ("I LOVE", 5)])
    func lettersAreHollow(_ wish: String, _ letterCount: Int) {
        let pen = Pen(dice: Dice(seed: 1), level: .medium)
        Lettering(CleanWish(wish)).drawing(in: Bounds(left: 20, top: 20, right: 380, bottom: 280), with: pen)
        var painter = Painter(width: 400, height: 300)
        painter.paint(pen.drawing, pen: 3)
        let ink = Ink(canvas: painter.canvas)
        #expect(ink.regionCount() >= letterCount + 1)
        #expect(ink.isClear(margin: 10))
        #expect((0.01...0.25).contains(ink.share))
    }
}
