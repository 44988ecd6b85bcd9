import ChilCore
import ChilCrypto
import ChilStore
import Testing

@testable import ChilAPI

@Suite struct IdempotencyKeyTests {
    /// A field's value and the key that it spells.
    @Test(arguments: [
        ("\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
        ("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
        ("a", "a"), ("\"a b\"", "a b"), (#""a\"b\\c""#, #"a"b\c"#), ("\"a,b;c\"", "a,b;c"), ("a:b/c=+.~", "a:b/c=+.~"),
        (String(repeating: "k", count: 128), String(repeating: "k", count: 128)),
        ("\"\(String(repeating: "k", count: 128))\"", String(repeating: "k", count: 128)),
    ])
    func aKeyIsRead(_ value: String, _ expected: String) {
        #expect(IdempotencyKey(Array(value.utf8)[...])?.bytes == Array(expected.utf8))
    }

    static let hostile: [[UInt8]] =
        [
            "", "\"\"", "\"", "\"a", "a\"", "\"a\"b", "\"a\";p=1", "\"a\", \"b\"", "a, b", "a b", "a;b", "a\\b",
            #""a\n""#, #""a\"#, "\"a\\",
            "ключ", "\"ключ\"", "\"a\tb\"", "'a b'", ":YWJj: x",
        ].map { Array($0.utf8) } + [
            Array(repeating: UInt8(ascii: "k"), count: 129),
            [UInt8(ascii: "\"")] + Array(repeating: UInt8(ascii: "k"), count: 129) + [0x22],
            [0x61, 0x7f], [0x61, 0x80], [0x22, 0xff, 0x22], [0x22, 0x1f, 0x22], [0x22, 0x00, 0x22],
        ]

    @Test(arguments: hostile)
    func anythingElseIsRefused(_ value: [UInt8]) {
        #expect(IdempotencyKey(value[...]) == nil)
    }

    /// Lists of values never run together.
    @Test func meaningsDiffer() {
        func meaning(_ texts: String?...) -> [UInt8] {
            var meaning = OnceMeaning()
            for text in texts { meaning.append(text) }
            return meaning.bytes
        }
        let all = [
            meaning("ab", "c"), meaning("a", "bc"), meaning("abc"), meaning("abc", ""), meaning("", "abc"),
            meaning("abc", nil),
            meaning(nil, "abc"), meaning(),
        ]
        #expect(Set(all).count == all.count)
    }
}
