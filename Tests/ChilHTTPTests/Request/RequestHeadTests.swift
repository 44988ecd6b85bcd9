import ChilHTTP
import Testing

/// What a head says once it is read.
struct RequestHeadTests {
    private func head(_ text: String) throws -> RequestHead {
        let transcript = Transcript.reading([latin1(text)[...]])
        return try #require(transcript.requests.first?.head, "\(transcript)")
    }

    private func text(_ bytes: ArraySlice<UInt8>?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test func partsOfTheTarget() throws {
        let origin = try head("GET /t/drawings/7?type=SCANNED&page=2 HTTP/1.1\r\nHost: a.example:1\r\n\r\n")
        #expect(origin.method == .get)
        #expect(text(origin.path) == "/t/drawings/7")
        #expect(text(origin.query) == "type=SCANNED&page=2")
        #expect(text(origin.authority) == "a.example:1")
        #expect(origin.keepAlive && origin.framing == .none && !origin.expectsContinue)

        let absolute = try head("BREW hTTps://b:2?q HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(absolute.method == .other)
        #expect(text(absolute.methodBytes) == "BREW")
        #expect(text(absolute.path) == "" && text(absolute.query) == "q")
        #expect(text(absolute.authority) == "b:2")

        #expect(try head("GET /? HTTP/1.1\r\nHost: a\r\n\r\n").query == [])
        #expect(try head("GET / HTTP/1.1\r\nHost: a\r\n\r\n").query == nil)
        #expect(try head("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").isForWholeServer)
    }

    @Test func fieldsAreFoundInAnyCase() throws {
        let lines =
            "hOST: a\r\nX-request-ID:\t q \r\nX-Own: 1\r\nIF-NONE-MATCH: \"a\"\r\nIf-None-Match: \"b\"\r\nx-own: 2\r\n"
        let head = try head("\r\nGET / HTTP/1.1\r\n\(lines)\r\n")
        #expect(head.text(.xRequestID) == "q")
        #expect(text(head.field("x-own")) == "1")
        #expect(head.field("x-ow") == nil && head.field(.range) == nil && !head.has(.range))
        #expect(head.fieldLines(.ifNoneMatch).map { text($0) } == ["\"a\"", "\"b\""])
        #expect(text(head.allFieldLines) == lines)
        #expect(head.fieldLines.count == 6)
    }

    @Test(arguments: [
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 0\r\n\r\n", false),
        ("POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na", false),
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\na", true),
    ])
    func continueIsExpectedOnlyForABody(_ text: String, _ expected: Bool) throws {
        #expect(try head(text).expectsContinue == expected)
    }

    @Test func refusalIsRepeated() {
        var parser = RequestHeadParser()
        let expected = RequestHeadParser.Step.reject(.badRequest, .invalidMethod)
        #expect(Array("@".utf8).withUnsafeBytes { parser.receive($0) }.step == expected)
        #expect(Array("GET / HTTP/1.1\r\n".utf8).withUnsafeBytes { parser.receive($0) }.step == expected)
    }
}
