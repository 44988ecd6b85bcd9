import Testing

@testable import ChilAdmin

@Suite struct ArgumentReaderTests {
    private static let guide = CommandGuide(
        path: ["noun", "verb"],
        summary: "",
        examples: [],
        arguments: [.init(name: "FIRST", summary: ""), .init(name: "SECOND", summary: "")],
        flags: [.flag("--one", "X", ""), .flag("--many", "X", repeats: true, ""), .toggle("--on", "")]
    )

    struct Sorted: Equatable, Sendable {
        var words: [String] = []
        var one: String?
        var many: [String] = []
        var isOn = false
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let words: [String]
        let expected: Result<Sorted, UsageError>
        var testDescription: String { name }

        init(_ name: String, _ words: [String], _ sorted: Sorted) {
            (self.name, self.words, expected) = (name, words, .success(sorted))
        }

        init(_ name: String, _ words: [String], fails message: String, _ hint: String? = nil) {
            (self.name, self.words, expected) = (name, words, .failure(UsageError(message, hint: hint)))
        }
    }

    private static let valueHint = "A value that begins with -- is written --one=--value."
    private static let flagHint =
        "`chiladmin noun verb --help` shows the flags; a word that begins with - goes after --."

    static let rows = [
        Row("nothing", [], Sorted()),
        Row("value as a word of its own", ["--one", "v"], Sorted(one: "v")),
        Row("value attached", ["--one=v"], Sorted(one: "v")),
        Row("attached value keeps later equals signs", ["--one=a=b"], Sorted(one: "a=b")),
        Row("attached value may be empty", ["--one="], Sorted(one: "")),
        Row("attached value may begin with dashes", ["--one=--on"], Sorted(one: "--on")),
        Row("attached value may begin with a combining mark", ["--one=\u{301}"], Sorted(one: "\u{301}")),
        Row("value with one dash", ["--one", "-5"], Sorted(one: "-5")),
        Row("value that is empty", ["--one", ""], Sorted(one: "")),
        Row("flags between words", ["a", "--on", "b", "--one", "v"], Sorted(words: ["a", "b"], one: "v", isOn: true)),
        Row("repeated flag in order", ["--many", "x", "a", "--many=y"], Sorted(words: ["a"], many: ["x", "y"])),
        Row("-- ends flags", ["--on", "--", "--one", "-x"], Sorted(words: ["--one", "-x"], isOn: true)),
        Row("second -- is a word", ["--", "--"], Sorted(words: ["--"])),
        Row("lone dash is a word", ["-"], Sorted(words: ["-"])),
        Row("empty word is a word", [""], Sorted(words: [""])),
        Row("value is missing at the end", ["--one"], fails: "--one needs a value: --one X", valueHint),
        Row("value is another flag", ["--one", "--on"], fails: "--one needs a value: --one X", valueHint),
        Row("value is --", ["--one", "--", "v"], fails: "--one needs a value: --one X", valueHint),
        Row("switch with a value", ["--on=yes"], fails: "--on takes no value"),
        Row("switch twice", ["--on", "--on"], fails: "--on is given twice"),
        Row("flag twice", ["--one", "a", "--one=b"], fails: "--one is given twice"),
        Row("abbreviated", ["--man", "x"], fails: "unknown flag '--man'", "Did you mean --many?"),
        Row("capitals", ["--One", "x"], fails: "unknown flag '--One'", "Did you mean --one?"),
        Row("one dash", ["-one", "x"], fails: "unknown flag '-one'", "Did you mean --one?"),
        Row("nothing like it", ["--qqqqqqqq=1"], fails: "unknown flag '--qqqqqqqq'", flagHint),
        Row("negative number by place", ["-5"], fails: "unknown flag '-5'", flagHint),
    ]

    @Test(arguments: rows)
    func sorts(_ row: Row) {
        let result = Result { () throws(UsageError) in
            var reader = try ArgumentReader(row.words, guide: Self.guide)
            var sorted = Sorted()
            sorted.one = try reader.optional("--one")
            sorted.many = try reader.all("--many")
            sorted.isOn = reader.isSet("--on")
            while (try? reader.finish()) == nil { sorted.words.append(try reader.next()) }
            return sorted
        }
        #expect(result == row.expected)
    }

    @Test func missingWordsAreNamed() throws {
        var reader = try ArgumentReader(["a"], guide: Self.guide)
        let first: String = try reader.next()
        #expect(first == "a")
        let usage = "Usage: chiladmin noun verb FIRST SECOND [--one X] [--many X…] [--on]"
        #expect(throws: UsageError("SECOND is missing", hint: usage)) { let _: String = try reader.next() }
        #expect(throws: UsageError("--one is missing", hint: usage)) { let _: String = try reader.required("--one") }
        #expect(throws: UsageError("--many is missing", hint: usage)) {
            let _: [String] = try reader.atLeastOne("--many")
        }
    }

    @Test func aRefusedValueIsNamed() throws {
        var reader = try ArgumentReader(["--one", "x"], guide: Self.guide)
        #expect(throws: UsageError("--one: 'x' is not a whole number")) { let _: Int64? = try reader.optional("--one") }
    }
}
