import Testing

@testable import ChilConsole

@Suite struct InputDecoderTests {
    struct Typed: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let inputs: [TerminalInput]

        var testDescription: String { name }

        init(_ name: String, _ text: String, _ keys: Key...) {
            self.init(name, Array(text.utf8), keys.map { .key($0) })
        }

        init(_ name: String, _ bytes: [UInt8], _ inputs: [TerminalInput]) {
            self.name = name
            self.bytes = bytes
            self.inputs = inputs
        }
    }

    static let all = [
        Typed("letters", "aZ", .text("a"), .text("Z")),
        Typed("Hangul", "한글", .text("한"), .text("글")),
        Typed("emoji", "🐋", .text("🐋")),
        Typed("Enter and Tab", "\r\t\n", .enter, .tab, .enter),
        Typed("Control", "\u{03}\u{1A}\u{04}", .control("c"), .control("z"), .control("d")),
        Typed("arrows", "\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[D", .up, .down, .right, .left),
        Typed("pages", "\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~\u{1B}[3~", .pageUp, .pageDown, .home, .end, .delete),
        Typed("Shift-Tab", "\u{1B}[Z", .backTab),
        Typed("backspace", "\u{7F}\u{08}", .backspace, .backspace),
        Typed("paste", "\u{1B}[200~a\u{1B}[A\nb한\u{1B}[201~x", .paste("a\u{1B}[A\nb한"), .text("x")),
        Typed("unknown sequences", "\u{1B}[99~\u{1B}[<0;3;4M\u{1B}x" + "q", .enter, .text("q")),
        Typed("attributes", Array("\u{1B}[?62;4;22c".utf8), [.report(.attributes([4, 22]))]),
        Typed("cells", Array("\u{1B}[6;18;9t".utf8), [.report(.cellSize(width: 9, height: 18))]),
        Typed("kitty", Array("\u{1B}_Gi=31;OK\u{1B}\\".utf8), [.report(.kittyPictures(true))]),
        Typed("no kitty", Array("\u{1B}_Gi=31;ENOTSUP\u{1B}\\".utf8), [.report(.kittyPictures(false))]),
        Typed("other strings", Array("\u{1B}]11;rgb:0/0/0\u{07}\u{1B}P1$r0m\u{1B}\\y".utf8), [.key(.text("y"))]),
        Typed("broken UTF-8", [0xED, 0xA0, 0x80, 0xFF, 0xC0, 0x80, 0x61], [.key(.text("a"))]),
        Typed("cut UTF-8", [0xE3, 0x61], [.key(.text("a"))]),
        Typed("unsafe characters", Array("\u{202E}\u{9B}\u{200B}b".utf8), [.key(.text("b"))]),
        Typed("nothing", [0, 0x1C, 0x62], [.key(.text("b"))]),
    ]

    /// Wherever the bytes are cut.
    @Test(arguments: all)
    func bytesAreKeys(_ typed: Typed) {
        for split in 0...typed.bytes.count {
            var decoder = InputDecoder()
            let inputs = decoder.received(typed.bytes[..<split]) + decoder.received(typed.bytes[split...])
            #expect(inputs == typed.inputs, "split at \(split)")
            let flushed = decoder.flush()
            #expect(flushed.isEmpty)
        }
        var decoder = InputDecoder()
        let single = typed.bytes.flatMap { decoder.received([$0]) }
        #expect(single == typed.inputs)
    }

    @Test func anEscapeAloneIsTheKey() {
        var decoder = InputDecoder()
        let first = decoder.received([0x1B])
        #expect(first.isEmpty)
        #expect(decoder.waits)
        let flushed = decoder.flush()
        #expect(flushed == [.key(.escape)])
        #expect(!decoder.waits)
        let second = decoder.received([0x1B, 0x1B])
        #expect(second == [.key(.escape)])
    }

    /// What never ends is not kept for ever.
    @Test(arguments: ["\u{1B}[", "\u{1B}_", "\u{1B}[200~"])
    func memoryIsBounded(_ beginning: String) {
        var decoder = InputDecoder()
        _ = decoder.received(beginning.utf8)
        for _ in 0..<100 { _ = decoder.received([UInt8](repeating: 0x31, count: 1_000)) }
        let rest = decoder.received("\u{1B}[201~\u{07}\u{1B}\\".utf8)
        #expect(rest.count < 9_000)
    }
}
