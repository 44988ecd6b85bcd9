import Testing

@testable import ChilAdmin

@Suite struct CleanTextTests {
    @Test(arguments: [
        ("plain", "office", "office"), ("Hangul", "사무실", "사무실"), ("line feed", "a\nb", "a␊b"),
        ("CR LF", "a\r\nb", "a␍␊b"),
        ("escape", "\u{1B}[31mred", "␛[31mred"), ("bell", "\u{7}", "␇"), ("NUL", "\0", "␀"), ("delete", "\u{7F}", "␡"),
        ("C1 CSI", "\u{9B}31m", "\u{FFFD}31m"), ("right-to-left override", "a\u{202E}b", "a\u{FFFD}b"),
        ("line separator", "\u{2028}", "\u{FFFD}"), ("tag", "\u{E0041}", "\u{FFFD}"), ("joined emoji", "👩‍👧", "👩‍👧"),
        ("byte order mark", "\u{FEFF}x", "\u{FFFD}x"),
    ])
    func cleans(_ name: String, _ text: String, _ clean: String) {
        #expect(Array(CleanText.clean(text).unicodeScalars) == Array(clean.unicodeScalars), "\(name)")
    }

    @Test func ownLineFeedsStay() {
        #expect(CleanText.cleanLines("a\nb\u{1B}\n") == "a\nb␛\n")
    }
}
