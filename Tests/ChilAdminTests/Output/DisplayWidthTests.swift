import Testing

@testable import ChilAdmin

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("empty", "", 0), ("ASCII", "printer", 7), ("Latin", "Zürich", 6), ("combining", "Zu\u{308}rich", 6),
        ("Hangul", "칠하다", 6), ("conjoining Hangul", "\u{110E}\u{1175}\u{11AF}", 2), ("halfwidth Hangul", "\u{FFA1}", 1),
        ("Han", "漢字", 4), ("kana", "ひらがな", 8), ("halfwidth kana", "ｶﾅ", 2), ("fullwidth", "ＡＢ", 4),
        ("ideographic space", "\u{3000}", 2), ("emoji", "🖨", 1), ("emoji as picture", "🖨\u{FE0F}", 2), ("face", "😀", 2),
        ("family", "👩‍👩‍👧", 2), ("flag", "🇰🇷", 2), ("skin", "👍🏽", 2), ("hand and skin", "✌🏽", 2), ("heart", "❤️", 2),
        ("keycap", "1️⃣", 2), ("Devanagari", "नि", 2), ("Thai", "ที่", 1), ("Arabic", "سلام", 4),
        ("Hebrew with points", "שָׁ", 1),
        ("zero width space", "a\u{200B}b", 2), ("soft hyphen", "a\u{AD}b", 3), ("Zalgo", "Z\u{310}\u{309}\u{320}", 1),
        ("box", "─", 1), ("picture of a control", "␛", 1), ("CJK extension B", "𠀀", 2), ("mixed", "a칠b", 4),
    ])
    func measures(_ name: String, _ text: String, _ cells: Int) {
        #expect(DisplayWidth.of(text) == cells, "\(name)")
    }
}
