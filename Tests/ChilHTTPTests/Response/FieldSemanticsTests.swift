import ChilCore
import ChilHTTP
import Testing

/// Dates, validators, ranges, parameters and media types.
struct FieldSemanticsTests {
    private static let now = Timestamp(seconds: 1_796_000_000)

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Mon, 30 Nov 2026 06:20:00 GMT", 1_796_019_600), ("Mon, 01 Mar 2100 00:00:00 GMT", 4107542400),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
    func datesAreWrittenAndRead(_ text: String, _ seconds: Int64) {
        let read = HTTPDate.parse(Array(text.utf8)[...], now: Self.now)
        #expect(read == Timestamp(seconds: seconds))
        #expect(String(decoding: HTTPDate.format(Timestamp(seconds: seconds)), as: UTF8.self) == text)
    }

    @Test(arguments: [
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Monday, 30-Nov-26 06:20:00 GMT", 1_796_019_600),
        ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("Sun, 06 Nov 1994 08:49:37", nil),
        ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
        ("Sun, 31 Feb 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
        ("06 Nov 1994 08:49:37 GMT", nil),
        ("Sun, 06 nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 8:49:37 GMT", nil), ("", nil), ("0", nil),
    ])
    func otherDateForms(_ text: String, _ seconds: Int64?) {
        #expect(HTTPDate.parse(Array(text.utf8)[...], now: Self.now) == seconds.map { Timestamp(seconds: $0) })
    }

    @Test(arguments: [
        ("\"a\"", EntityTag.Match.matched, EntityTag.Match.matched), ("W/\"a\"", .unmatched, .matched),
        ("*", .matched, .matched),
        ("\"b\", \"a\"", .matched, .matched), ("\"b\",,W/\"a\" ,", .unmatched, .matched),
        ("\"b\"", .unmatched, .unmatched),
        ("\"A\"", .unmatched, .unmatched), ("\"a,b\"", .unmatched, .unmatched),
        ("a", .malformed, .malformed), ("\"a", .malformed, .malformed), ("\"a\" \"b\"", .malformed, .malformed),
        ("\"a\", *", .malformed, .malformed), ("w/\"a\"", .malformed, .malformed), ("", .malformed, .malformed),
        ("\"a b\"", .malformed, .malformed), (",", .malformed, .malformed),
    ])
    func entityTags(_ list: String, _ strong: EntityTag.Match, _ weak: EntityTag.Match) throws {
        let tag = try #require(EntityTag("a".utf8))
        #expect(tag.match(Array(list.utf8)[...], .strong) == strong)
        #expect(tag.match(Array(list.utf8)[...], .weak) == weak)
    }

    @Test func entityTagsCannotCarryOtherFields() {
        #expect(EntityTag("a\r\nX: y".utf8) == nil && EntityTag("a\"".utf8) == nil && EntityTag(" ".utf8) == nil)
        let weak = EntityTag("a".utf8, isWeak: true)
        #expect(weak?.fieldValue == Array("W/\"a\"".utf8) && weak?.opaque == Array("a".utf8)[...])
        #expect(weak != EntityTag("a".utf8))
    }

    @Test(arguments: [
        (0, 0, "0-0"), (17, 3, "17-3"), (Int64.max, .min, "9223372036854775807--9223372036854775808"),
        (-1, 10, "-1-10"),
    ])
    func entityTagsOfNumbers(_ number: Int64, _ version: Int64, _ opaque: String) {
        let tag = EntityTag(number, version: version)
        #expect(tag == EntityTag(opaque.utf8))
        #expect(tag.fieldValue == Array("\"\(opaque)\"".utf8))
    }

    @Test func conditionsOfAHead() throws {
        let fields = "If-None-Match: \"b\"\r\nIf-None-Match: W/\"a\"\r\nIf-Match: \"b\"\r\nIf-Range: \"a\"\r\n"
        let text = "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
        let head = try #require(Transcript.reading([Array(text.utf8)[...]]).requests.first?.head)
        let tag = try #require(EntityTag("a".utf8))
        #expect(head.ifNoneMatchNames(tag) && !head.ifMatchAllows(tag) && head.ifRangeAllows(tag))
        let weak = try #require(EntityTag("a".utf8, isWeak: true))
        #expect(!head.ifRangeAllows(weak))
    }

    @Test(arguments: [
        ("bytes=0-4", ByteRange.part(0..<5)), ("bytes=5-", .part(5..<10)), ("bytes=-3", .part(7..<10)),
        ("bytes=0-99", .part(0..<10)), ("bytes=-99", .part(0..<10)), ("BYTES=9-9", .part(9..<10)),
        ("bytes=0-99999999999999999999", .part(0..<10)),
        ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=99999999999999999999-", .unsatisfiable),
        ("bytes=4-3", .whole), ("bytes=0-1,3-4", .whole), ("bytes=", .whole), ("bytes=-", .whole),
        ("bytes=a-b", .whole),
        ("bytes = 0-4", .whole), ("bytes=0 -4", .whole), ("items=0-4", .whole), ("bytes", .whole),
        ("bytes=+1-2", .whole),
    ])
    func ranges(_ field: String, _ expected: ByteRange) {
        #expect(ByteRange.parse(Array(field.utf8)[...], length: 10) == expected)
    }

    @Test func rangesOfNothing() {
        #expect(ByteRange.parse(nil, length: 10) == .whole)
        #expect(ByteRange.parse(Array("bytes=0-".utf8)[...], length: 0) == .unsatisfiable)
        #expect(ByteRange.part(0..<5).contentRange(length: 10) == "bytes 0-4/10")
        #expect(ByteRange.unsatisfiable.contentRange(length: 10) == "bytes */10")
    }

    @Test func queryIsDecoded() throws {
        let items = try QueryItems(Array("a=1&b=%ED%95%9C+x&c&d==".utf8)[...])
        #expect(items["a"] == "1" && items["b"] == "한+x" && items["c"] == "" && items["d"] == "=" && items["e"] == nil)
        #expect(try QueryItems(Array("a=1+2".utf8)[...], isForm: true)["a"] == "1 2")
        #expect(try QueryItems([]).items.isEmpty)
    }

    @Test(arguments: [
        ("a=1&a=2", QueryItems.Fault.repeatedName), ("a=1&%61=2", .repeatedName), ("=1", .emptyName),
        ("a=%", .malformedEscape),
        ("a=%2", .malformedEscape), ("a=%GG", .malformedEscape), ("a=%FF", .invalidText), ("a=%00", .invalidText),
        ("a=%C0%AF", .invalidText), ("a=%0D%0A", .invalidText),
        ((0..<33).map { "a\($0)=" }.joined(separator: "&"), .tooManyItems),
    ])
    func queryIsRefused(_ text: String, _ fault: QueryItems.Fault) {
        #expect(throws: fault) { try QueryItems(Array(text.utf8)[...]) }
    }

    @Test func percentCoding() {
        #expect(PercentCoding.decode(Array("a%2Fb%20".utf8)[...]) == Array("a/b ".utf8))
        #expect(PercentCoding.encode("a b/한~") == "a%20b%2F%ED%95%9C~")
    }

    @Test(
        arguments: [
            ("application/json", "application/json", nil),
            ("Application/JSON ; charset=UTF-8", "application/json", nil),
            ("multipart/form-data; boundary=a-b", "multipart/form-data", "a-b"),
            ("multipart/form-data;x=\"\\\"\";Boundary=\"a b\";", "multipart/form-data", "a b"),
            ("multipart/form-data; boundary=\"a \"", "multipart/form-data", nil),
            ("multipart/form-data; boundary=\"\"", "multipart/form-data", nil),
            ("multipart/form-data; boundary=\"a\u{E9}\"", "multipart/form-data", nil),
            ("application", nil, nil), ("application/", nil, nil), ("a/b c", nil, nil), ("a/b; c", nil, nil),
            ("a/b; c=\"", nil, nil),
            ("a/b; c=1; C=2", nil, nil), ("", nil, nil), ("a/b, c/d", nil, nil), ("a /b", nil, nil),
        ] as [(String, String?, String?)]
    )
    func mediaTypes(_ text: String, _ essence: String?, _ boundary: String?) {
        let type = MediaType(Array(text.utf8)[...])
        #expect(type?.essence == essence)
        #expect(type?.boundary.map { String(decoding: $0, as: UTF8.self) } == boundary)
    }
}
