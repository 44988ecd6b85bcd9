import ChilConsole
import Glibc
import Testing

@testable import ChilAdmin

@Suite struct DisplayWidthTests {
    /// Emoji of several scalars as tmux 3.3a takes them, looked at by where its cursor stands behind them.
    @Test(arguments: [
        ("empty", "", 0), ("ASCII", "printer", 7), ("Latin", "Zürich", 6), ("combining", "Zu\u{308}rich", 6),
        ("Hangul", "칠하다", 6), ("conjoining Hangul", "\u{110E}\u{1175}\u{11AF}", 2), ("halfwidth Hangul", "\u{FFA1}", 1),
        ("a vowel alone", "\u{1161}", 0), ("fillers", "\u{115F}\u{1160}", 2), ("Hangul filler", "\u{3164}", 2),
        ("Han", "漢字", 4), ("kana", "ひらがな", 8), ("halfwidth kana", "ｶﾅ", 2), ("fullwidth", "ＡＢ", 4),
        ("a variant of Han", "葛\u{E0100}", 2), ("Han with a selector", "漢\u{FE0F}", 2),
        ("ideographic space", "\u{3000}", 2), ("emoji", "🖨", 1), ("emoji as picture", "🖨\u{FE0F}", 1), ("face", "😀", 2),
        ("face as text", "😀\u{FE0E}", 2), ("family", "👩‍👩‍👧", 2), ("two of them, not joined", "👩👩", 4),
        ("flag", "🇰🇷", 2), ("half a flag", "🇰", 1), ("three halves", "🇰🇷🇰", 3), ("rainbow flag", "🏳\u{FE0F}\u{200D}🌈", 1),
        ("pirates' flag", "🏴\u{200D}☠\u{FE0F}", 2), ("skin", "👍🏽", 4), ("hand and skin", "✌🏽", 3),
        ("skin alone", "🏻", 2), ("a letter and skin", "a🏻", 3), ("a letter and a selector", "a\u{FE0F}", 1),
        ("a selector alone", "\u{FE0F}", 0), ("heart", "❤️", 1), ("heart as text", "❤", 1),
        ("a sign as picture", "©\u{FE0F}", 1),
        ("keycap", "1️⃣", 1), ("keycap without its selector", "1\u{20E3}", 1), ("runner", "🏃🏽\u{200D}♀\u{FE0F}", 4),
        ("eye in a bubble", "👁\u{FE0F}\u{200D}🗨\u{FE0F}", 1), ("letters that are joined", "a\u{200D}b", 2),
        ("Devanagari", "नि", 2), ("Thai", "ที่", 1), ("Thai with am", "กำ", 2), ("Arabic", "سلام", 4),
        ("Hebrew with points", "שָׁ", 1),
        ("zero width space", "a\u{200B}b", 2), ("soft hyphen", "a\u{AD}b", 3), ("Zalgo", "Z\u{310}\u{309}\u{320}", 1),
        ("box", "─", 1), ("picture of a control", "␛", 1), ("CJK extension B", "𠀀", 2), ("mixed", "a칠b", 4),
    ])
    func measures(_ name: String, _ text: String, _ cells: Int) {
        #expect(DisplayWidth.of(text) == cells, "\(name)")
        #expect(CellWidth.of(text) == cells, "\(name): one table for both")
        #expect(text.reduce(0) { $0 + CellWidth.of(cluster: $1) } == cells, "\(name), one by one")
    }

    /// What the C library says of each, for terminals that ask it.
    @Test func isAsWcwidthSays() throws {
        let locale = try #require(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        // wcwidth(3), which Glibc's overlay leaves out.
        typealias Width = @convention(c) (wchar_t) -> Int32
        let width = unsafeBitCast(try #require(dlsym(dlopen(nil, RTLD_NOW), "wcwidth")), to: Width.self)
        func cells(_ scalar: Unicode.Scalar) -> Int { Int(width(wchar_t(scalar.value))) }
        let samples =
            "a é칠漢ひｶＡ😀🖨❤👍🏽🇰🏴☠✌©1\u{20E3}\u{FE0F}\u{200D}\u{AD}\u{308}\u{1161}\u{11AF}\u{115F}\u{3164}\u{3000}─␛𠀀ก\u{E33}\u{E35}"
        for scalar in samples.unicodeScalars {
            #expect(
                DisplayWidth.of(scalar) == cells(scalar),
                "U+\(String(scalar.value, radix: 16))"
            )
        }
        // Every Hangul syllable, and all of the letters that they are made of.
        for value in Array(0xAC00...0xD7A3) + Array(0x1100...0x11FF) {
            let scalar = try #require(Unicode.Scalar(UInt32(value)))
            #expect(DisplayWidth.of(scalar) == cells(scalar))
        }
    }
}
