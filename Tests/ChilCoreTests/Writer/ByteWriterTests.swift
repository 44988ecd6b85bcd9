import ChilCore
import Testing

struct ByteWriterTests {
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("\"\\/", #"\"\\/"#), ("\n\r\t", #"\n\r\t"#),
        ("\0\u{1F}\u{7F}", #"\u0000\u001f\u007f"#),
        ("a\u{2028}b\u{2029}c", #"a\u2028b\u2029c"#), ("\u{2027}\u{202A}€", "\u{2027}\u{202A}€"), ("지우 🖍️", "지우 🖍️"),
        ("\u{2028}", #"\u2028"#), ("end\"", #"end\""#),
    ])
    func textIsEscaped(_ text: String, _ expected: String) throws {
        var writer = ByteWriter()
        writer.append(json: text)
        #expect(writer.text == "\"\(expected)\"")
        #expect(try StrictJSON.parse(writer.bytes).string == text)
    }

    @Test(arguments: [0, 7, 10, -1, 99, 100, 1_234_567_890, .max, .min])
    func numbersAreDecimal(_ number: Int64) {
        var writer = ByteWriter()
        writer.append(decimal: number)
        #expect(writer.text == "\(number)")
    }

    @Test
    func membersFollowEachOther() {
        var writer = ByteWriter(capacity: 4)
        writer.append("{\"id\":")
        writer.append(json: DrawingID(rawValue: 42))
        writer.append(",\"ok\":")
        writer.append(json: true)
        writer.append(",\"title\":")
        writer.append(json: String?.none)
        writer.append(",\"at\":")
        writer.append(json: Timestamp(microseconds: 1_796_019_013_123_999))
        writer.append(",\"n\":")
        writer.append(json: Int64?.none)
        writer.append("}")
        #expect(writer.text == #"{"id":42,"ok":true,"title":null,"at":"2026-11-30T06:10:13.123Z","n":null}"#)
        writer.removeAll()
        #expect(writer.count == 0)
    }

    /// Every byte at every place of a long run: the look at eight bytes must miss none.
    @Test
    func escapesAreFoundAnywhere() throws {
        for byte in UInt8(0)..<128 {
            for place in 0..<19 {
                var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 19)
                bytes[place] = byte
                let text = String(decoding: bytes, as: UTF8.self)
                var writer = ByteWriter(capacity: 0)
                writer.append(json: text)
                let isEscaped = byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F
                #expect((writer.count > 21) == isEscaped)
                #expect(try StrictJSON.parse(writer.finish()).string == text)
            }
        }
    }

    /// Escapes of every length, alone and at the end of a run: the count makes the room, and one byte more would stop the program.
    @Test(arguments: [
        "", "x", "\"", "\u{1F}", "\u{2028}", "\u{2027}", "1234567\u{2029}", "12345678\n", "\u{7F}\u{7F}", "지우🖍️\\",
    ])
    func aCountIsWhatIsWritten(_ text: String) {
        let bytes = Array(text.utf8)
        var writer = ByteWriter(capacity: 0)
        let count = bytes.withUnsafeBytes { JSONText.byteCount(of: $0) }
        bytes.withUnsafeBytes { raw in writer.append(atMost: count) { $0.append(jsonUTF8: raw) } }
        #expect(writer.count == count)
    }

    @Test
    func whatIsWrittenCanBeRepeated() {
        var writer = ByteWriter(capacity: 0)
        writer.append("before ")
        writer.append(atMost: 9) { out in
            out.append(decimal: -12)
            let number = 0..<out.count
            out.append(byte: UInt8(ascii: " "))
            out.append(again: number)
            out.append(again: 0..<0)
        }
        writer.append(" after")
        #expect(writer.text == "before -12 -12 after")
        #expect(writer.finish() == Array("before -12 -12 after".utf8) && writer.count == 0)
    }
}
