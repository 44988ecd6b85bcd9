import ChilCore
import Testing

struct StrictJSONTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let fault: JSONFault
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ reason: JSONFault.Reason, at offset: Int) {
            self.name = name
            self.text = text
            fault = JSONFault(reason, at: offset)
        }

        static let all = [
            Refusal("empty", "", .unexpectedEnd, at: 0),
            Refusal("only space", " \n\t\r", .unexpectedEnd, at: 4),
            Refusal("two values", "{} {}", .trailingBytes, at: 3),
            Refusal("NUL after the value", "{}\0", .trailingBytes, at: 2),
            Refusal("byte order mark", "\u{FEFF}{}", .byteOrderMark, at: 0),
            Refusal("repeated member", #"{"a":1,"b":2,"a":1}"#, .repeatedMember, at: 13),
            Refusal("repeated by escape", #"{"a":1,"\u0061":2}"#, .repeatedMember, at: 7),
            Refusal("repeated inside", #"{"x":{"a":1,"a":2}}"#, .repeatedMember, at: 12),
            Refusal("repeated empty name", #"{"":1,"":2}"#, .repeatedMember, at: 6),
            Refusal("leading zero", "[01]", .badNumber, at: 1),
            Refusal("plus", "[+1]", .unexpectedByte, at: 1),
            Refusal("bare fraction", "[.5]", .unexpectedByte, at: 1),
            Refusal("open fraction", "[1.]", .badNumber, at: 1),
            Refusal("hex number", "[0x10]", .badNumber, at: 1),
            Refusal("only minus", "-", .unexpectedEnd, at: 1),
            Refusal("infinity", "[Infinity]", .unexpectedByte, at: 1),
            Refusal("comment", "/**/{}", .unexpectedByte, at: 0),
            Refusal("trailing comma", "[1,]", .unexpectedByte, at: 3),
            Refusal("single quotes", "{'a':1}", .unexpectedByte, at: 1),
            Refusal("bare name", "{a:1}", .unexpectedByte, at: 1),
            Refusal("bad escape", #"["\x41"]"#, .badEscape, at: 2),
            Refusal("short escape", #"["\u00"]"#, .badEscape, at: 2),
            Refusal("lone high surrogate", #"["\ud83d"]"#, .loneSurrogate, at: 2),
            Refusal("lone low surrogate", #"["\ude00"]"#, .loneSurrogate, at: 2),
            Refusal("raw newline", "[\"a\nb\"]", .rawControlCharacter, at: 3),
            Refusal("raw NUL", "[\"\0\"]", .rawControlCharacter, at: 2),
            Refusal("cut string", #"["abc"#, .unexpectedEnd, at: 5),
            Refusal("cut word", "[tru", .unexpectedEnd, at: 4),
            Refusal("upper-case word", "[True]", .unexpectedByte, at: 1),
        ]
    }

    @Test(arguments: Refusal.all)
    func hostileTextIsRefused(_ sample: Refusal) {
        #expect(throws: sample.fault) { try StrictJSON.parse(Array(sample.text.utf8)) }
    }

    @Test
    func valuesKeepWhatWasWritten() throws {
        let text = #" {"z":[1,-0,2.50,1E3,true,false,null],"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\udd8d\u0000한","":{}} "#
        let object = try #require(try StrictJSON.parse(Array(text.utf8)).object)
        #expect(object.members.map(\.name) == ["z", "a", ""])
        let elements = try #require(object["z"]?.array)
        #expect(elements.prefix(4).map { $0.number?.literal } == ["1", "-0", "2.50", "1E3"])
        #expect(elements[4].bool == true && elements[5].bool == false && elements[6].isNull)
        #expect(object["a"]?.string == "\"\\/\u{8}\u{C}\n\r\té🖍\0한")
        #expect(object[""]?.object?.count == 0)
        #expect(object["missing"] == nil)
    }

    @Test(
        arguments: [
            ("0", 0, 0.0), ("-0", 0, -0.0), ("9223372036854775807", Int64.max, 9.223372036854775807e18),
            ("-9223372036854775808", Int64.min, -9.223372036854775808e18),
            ("9223372036854775808", nil, 9.223372036854775808e18),
            ("1.0", nil, 1.0), ("1e3", nil, 1000.0), ("1e400", nil, nil), ("-1e400", nil, nil), ("1e-400", nil, 0.0),
            ("9007199254740993", 9_007_199_254_740_993, 9007199254740992.0),
        ] as [(String, Int64?, Double?)]
    )
    func numbersRefuseWhatDoesNotFit(_ literal: String, _ integer: Int64?, _ real: Double?) throws {
        let number = try #require(try StrictJSON.parse(Array(literal.utf8)).number)
        #expect(number.int64 == integer)
        #expect(number.double == real)
    }

    /// By JSON Schema `1.0` is an integer, and some clients write it so.
    @Test(
        arguments: [
            ("7", 7), ("1.0", 1), ("-1.00", -1), ("1e3", 1_000), ("1E+3", 1_000), ("1.5e1", 15), ("100e-2", 1),
            ("-0.0", 0),
            ("0e9999", 0), ("0.000e-5", 0), ("9223372036854775807.0", Int64.max), ("922337203685477580.7e1", Int64.max),
            ("-9.223372036854775808e18", Int64.min), ("1e18", 1_000_000_000_000_000_000),
            ("1.5", nil), ("1e-1", nil), ("10e-2", nil), ("9223372036854775808.0", nil), ("1e19", nil), ("1e400", nil),
            ("1e99999", nil), ("1e-99999", nil),
        ] as [(String, Int64?)]
    )
    func wholeNumbersAreReadHoweverTheyAreWritten(_ literal: String, _ whole: Int64?) throws {
        let number = try #require(try StrictJSON.parse(Array(literal.utf8)).number)
        #expect(number.whole == whole)
    }

    @Test
    func limitsAreExact() throws {
        let limits = JSONLimits(bytesMax: 16, depthMax: 2, valuesMax: 3)
        _ = try StrictJSON.parse(Array("[[1],2]         ".utf8), limits: limits)
        #expect(throws: JSONFault(.tooLong(bytesMax: 16), at: 16)) {
            try StrictJSON.parse(Array("[[1],2]          ".utf8), limits: limits)
        }
        #expect(throws: JSONFault(.tooDeep(depthMax: 2), at: 2)) {
            try StrictJSON.parse(Array("[[[]]]".utf8), limits: limits)
        }
        #expect(throws: JSONFault(.tooManyValues(valuesMax: 3), at: 7)) {
            try StrictJSON.parse(Array("[1,2,3,4]".utf8), limits: limits)
        }
    }

    @Test
    func repeatedMemberIsFoundAmongMany() throws {
        let names = (0..<200).map { "\"member \($0)\":\($0)" }
        let object = try #require(try StrictJSON.parse(Array("{\(names.joined(separator: ","))}".utf8)).object)
        #expect(object["member 199"]?.int64 == 199)
        for repeated in [0, 15, 16, 17, 199] {
            let text = "{\(names.joined(separator: ",")),\"member \(repeated)\":0}"
            #expect(throws: JSONFault.self) { try StrictJSON.parse(Array(text.utf8)) }
        }
    }

    /// Names are bytes: canonical equivalence would make one member of two, and a Kelvin sign a letter.
    @Test
    func namesAreComparedByBytes() throws {
        let text = "{\"K\":1,\"\u{212A}\":2,\"\u{E9}\":3,\"e\u{301}\":4}"
        let object = try #require(try StrictJSON.parse(Array(text.utf8)).object)
        #expect(object["K"]?.int64 == 1)
        #expect(object["\u{212A}"]?.int64 == 2)
        #expect(object["\u{E9}"]?.int64 == 3)
        #expect(object["e\u{301}"]?.int64 == 4)
    }

    @Test
    func everyCutOfATextIsRefused() {
        let text = Array(#"{"iss":"https://a","aud":["b"],"exp":1.5e3,"x":[true,null,"\ud83d\udd8d한"]}"#.utf8)
        for count in 0..<text.count {
            #expect(throws: JSONFault.self, "cut after \(count)") { try StrictJSON.parse(Array(text[..<count])) }
        }
    }

    /// Bytes changed, removed and doubled at random places: an answer each time, and what is read can be read again.
    @Test
    func mutationsNeverCrash() throws {
        let text = Array(
            #"{"iss":"https://a","aud":["b"],"exp":1.5e3,"x":[true,null,"\ud83d\udd8d한\n"],"y":{"z":-0}}"#.utf8
        )
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var readCount = 0
        for _ in 0..<4_000 {
            var changed = text
            for _ in 0...random(3) {
                let place = random(changed.count)
                switch random(3) {
                case 0: changed[place] = UInt8(random(256))
                case 1: changed.remove(at: place)
                default: changed.insert(changed[place], at: place)
                }
            }
            guard let value = try? StrictJSON.parse(changed) else { continue }
            readCount += 1
            #expect(try StrictJSON.parse(changed) == value)
        }
        #expect(readCount > 0)
    }

    /// Strings are passed eight bytes at a time: what ends or breaks one does so wherever it stands.
    @Test func everyByteCountsAtEveryPlaceOfAString() throws {
        for count in 0..<24 {
            for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "\"") {
                for place in 0...count {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                    text.insert(byte, at: place)
                    let json = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
                    let isPlain = byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\\")
                    let value = try? StrictJSON.parse(json)
                    #expect(
                        value?.string.map { Array($0.utf8) } == (isPlain ? text : nil),
                        "\(byte) at \(place) of \(count)"
                    )
                }
            }
            let cut = Array("\"\(String(repeating: "é", count: count))".utf8)
            #expect(throws: JSONFault(.unexpectedEnd, at: cut.count)) { try StrictJSON.parse(cut) }
            #expect(try StrictJSON.parse(cut + [UInt8(ascii: "\"")]).string?.count == count)
        }
    }
}
