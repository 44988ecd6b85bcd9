import ChilCore
import Testing

struct TextTests {
    @Test(
        arguments: [
            ("", TextRule.Fault.empty), ("ok", nil), ("지우 🖍️", .tooLong(bytesMax: 12)), ("한글이다", nil),
            ("한글이다!", .tooLong(bytesMax: 12)), ("a\0b", .controlCharacter), ("a\nb", .controlCharacter),
            ("\u{7F}", .controlCharacter),
            ("\u{80}", .controlCharacter), ("\u{9F}", .controlCharacter), ("\u{A0}", nil), ("e\u{301}", nil),
        ] as [(String, TextRule.Fault?)]
    )
    func rulesAreExact(_ text: String, _ fault: TextRule.Fault?) {
        #expect(TextRule(bytesMax: 12).fault(in: text) == fault)
    }

    @Test
    func linesAndEmptinessAreAllowedWhereAsked() {
        let rule = TextRule(bytesMax: 8, allowsEmpty: true, allowsLines: true)
        #expect(rule.fault(in: "") == nil)
        #expect(rule.fault(in: "a\n\tb") == nil)
        #expect(rule.fault(in: "a\rb") == .controlCharacter)
    }

    @Test(
        arguments: [
            ("Ann", nil), ("عبد الله", nil), ("שלום", nil), ("\u{200F}\u{2029}\u{206A}", nil),
            ("\u{202A}", .turnedDirection),
            ("a\u{202E}b", .turnedDirection), ("a\u{2066}", .turnedDirection), ("\u{2069}a", .turnedDirection),
            ("\u{202E}\n", .turnedDirection), ("\n", .controlCharacter), ("", .empty),
        ] as [(String, TextRule.Fault?)]
    )
    func aNameTurnsNothingRound(_ row: (text: String, fault: TextRule.Fault?)) {
        #expect(TextRule(bytesMax: 200, allowsTurns: false).fault(in: row.text) == row.fault)
        if row.fault == .turnedDirection, !row.text.contains("\n") {
            #expect(TextRule(bytesMax: 200).fault(in: row.text) == nil)
        }
    }

    @Test(
        arguments: [
            ("", ""), ("Ann", "Ann"), ("e\u{301}é한🖍️", "e\u{301}é한🖍️"),
            ("\u{A0}\u{2029}\u{206A}\u{200F}", "\u{A0}\u{2029}\u{206A}\u{200F}"),
            ("a\0b\tc\nd\u{1F}e\u{7F}f", "abcdef"), ("\u{80}a\u{9F}b", "ab"),
            ("\u{202A}a\u{202E}b\u{2066}c\u{2069}", "abc"),
            ("\u{202B}\u{202C}\u{202D}\u{2067}\u{2068}", ""), ("\r\n", ""),
        ]
    )
    func whatNobodySeesIsLeftOut(_ row: (text: String, plain: String)) {
        #expect(row.text.plain.isExactly(row.plain))
        #expect(row.text.plain.plain.isExactly(row.plain))
    }

    /// A long text is looked over many bytes at a time: what is forbidden is found wherever it stands.
    @Test(arguments: ["\0", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}"])
    func forbiddenCharactersAreFoundAnywhere(_ character: String) {
        let rule = TextRule(bytesMax: 200)
        for before in 0..<70 {
            let text = String(repeating: "a", count: before) + character + String(repeating: "é", count: 30)
            #expect(rule.fault(in: text) == .controlCharacter, "\(before)")
        }
        #expect(rule.fault(in: String(repeating: "é", count: 100)) == nil)
        #expect(rule.fault(in: String(repeating: "\u{A0}", count: 100)) == nil)
    }

    @Test(
        arguments: [
            ("chillin", nil), ("a", nil), ("a-b", nil), ("0", nil), (String(repeating: "a", count: 40), nil),
            ("a--b", nil),
            ("", Slug.Fault.malformed), (String(repeating: "a", count: 41), .malformed), ("-a", .malformed),
            ("a-", .malformed),
            ("-", .malformed), ("A", .malformed), ("a_b", .malformed), ("a.b", .malformed), ("é", .malformed),
            ("a\n", .malformed),
            ("\u{212A}", .malformed), ("auth", .reserved), ("v1", .reserved), (".well-known", .reserved),
            ("openapi.json", .reserved),
        ] as [(String, Slug.Fault?)]
    )
    func slugsAreChecked(_ text: String, _ fault: Slug.Fault?) {
        do throws(Slug.Fault) {
            let slug = try Slug(checking: text)
            #expect(slug.text == text)
            #expect(fault == nil)
        } catch {
            #expect(error == fault)
        }
    }

    @Test
    func exactTextIsNotCanonicallyEquivalent() {
        #expect(!"K".isExactly("\u{212A}"))
        #expect("K" == "\u{212A}")
        #expect(Set([ExactText("\u{E9}"), ExactText("e\u{301}")]).count == 2)
    }

    /// Looked through eight bytes at a time: found wherever it stands, and nothing else is.
    @Test(arguments: [0x00, 0x01, 0x2E, 0x7F, 0x80, 0xFF] as [UInt8])
    func aByteIsFoundAnywhere(_ byte: UInt8) {
        for other in [byte ^ 0x01, byte ^ 0x80, byte &+ 1, byte &- 1] {
            for count in 0..<40 {
                var bytes = [UInt8](repeating: other, count: count)
                #expect(bytes.withUnsafeBytes { ByteSearch.first(byte, in: $0) } == count)
                for place in 0..<count {
                    bytes[place] = byte
                    for start in 0...count {
                        let found = bytes.withUnsafeBytes { ByteSearch.first(byte, in: $0, from: start) }
                        #expect(found == (start <= place ? place : count), "\(place) of \(count) from \(start)")
                    }
                    bytes[place] = other
                }
            }
        }
    }

    @Test func oneByteMakesATextAnother() {
        for count in 0..<40 {
            let text = String(repeating: "a", count: count)
            #expect(text.isExactly(String(repeating: "a", count: count)))
            #expect(!text.isExactly(text + "a"))
            for place in 0..<count {
                let other =
                    String(repeating: "a", count: place) + "b" + String(repeating: "a", count: count - place - 1)
                #expect(!text.isExactly(other) && !other.isExactly(text), "\(place) of \(count)")
            }
        }
        #expect(!"K".isExactly("\u{212A}") && !"é".isExactly("e\u{301}"))
    }
}
