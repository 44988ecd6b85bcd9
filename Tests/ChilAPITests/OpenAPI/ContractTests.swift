import ChilCore
import Testing

@testable import ChilAPI

/// That answers which the document does not foresee are found: each row is one good answer with one thing changed.
@Suite struct ContractTests {
    private static let id = "0123456789abcdef0123"
    private static let drawing = """
        {"drawingId":7,"type":"UPLOADED","status":"READY","url":"https://a.test/n/drawings/7/image?e=1","width":2,"height":2,\
        "mediaType":"image/png","byteCount":9,"createdAt":"2026-11-30T06:10:13.123Z","updatedAt":"2026-11-30T06:10:13.123Z"}
        """
    private static let fields = [
        "Date": "x", "Content-Type": "application/json", "Content-Length": "9", "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store", "X-Request-Id": id, "RateLimit": "\"read-user\";r=1;t=1",
        "RateLimit-Policy": "\"read-address\";q=6000;w=60, \"read-user\";q=1200;w=60",
    ]

    private static func answer(
        _ status: Int = 200,
        _ body: String = drawing,
        _ changes: KeyValuePairs<String, String?> = [:]
    )
        -> Answer
    {
        var fields: [String: String?] = self.fields
        if body == drawing { fields["ETag"] = "\"7-1\"" }
        for change in changes { fields.updateValue(change.value, forKey: change.key) }
        return Answer(
            status: status,
            fields: fields.compactMap { name, value in value.map { Answer.Field(name: name, value: $0) } },
            body: Array(body.utf8),
            elapsed: .zero
        )
    }

    private static func problem(_ status: Int, _ code: String, more: String = "") -> String {
        """
        {"type":"about:blank","title":"x","status":\(status),"detail":"x","code":"\(code)","instance":"\(id)"\(more)}
        """
    }

    private static func faults(_ answer: Answer, _ method: String = "GET", _ target: String = "/north/drawings/7")
        -> [String]
    {
        Contract.current.faults(in: answer, to: Contract.Question(method: method, target: target))
    }

    @Test func aGoodAnswerHasNone() {
        #expect(Self.faults(Self.answer()) == [])
        let refusal = Self.answer(404, Self.problem(404, "not-found"), ["Content-Type": "application/problem+json"])
        #expect(Self.faults(refusal) == [])
        #expect(Self.faults(refusal, "GET", "/north/none") == [])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: Answer
        var method = "GET"
        var target = "/north/drawings/7"
    }

    static let rows = [
        Row(testDescription: "status that is not there", answer: answer(202)),
        Row(testDescription: "unknown member", answer: answer(200, drawing.replacing("\"width\"", with: "\"wide\""))),
        Row(
            testDescription: "missing member",
            answer: answer(200, drawing.replacing("\"status\":\"READY\",", with: ""))
        ),
        Row(testDescription: "unknown word", answer: answer(200, drawing.replacing("READY", with: "ready"))),
        Row(
            testDescription: "number as text",
            answer: answer(200, drawing.replacing("\"width\":2", with: "\"width\":\"2\""))
        ),
        Row(testDescription: "number out of range", answer: answer(200, drawing.replacing(":7,", with: ":0,"))),
        Row(testDescription: "moment in another form", answer: answer(200, drawing.replacing("13.123Z", with: "13Z"))),
        Row(testDescription: "no JSON", answer: answer(200, "{")),
        Row(testDescription: "unknown field", answer: answer(200, drawing, ["X-More": "1"])),
        Row(testDescription: "missing field", answer: answer(200, drawing, ["Cache-Control": nil])),
        Row(testDescription: "field in another form", answer: answer(200, drawing, ["RateLimit": "1"])),
        Row(testDescription: "another media type", answer: answer(200, drawing, ["Content-Type": "text/html"])),
        Row(
            testDescription: "code of another route",
            answer: answer(403, problem(403, "user-banned"), ["Content-Type": "application/problem+json"])
        ),
        Row(
            testDescription: "status in the body differs",
            answer: answer(404, problem(400, "not-found"), ["Content-Type": "application/problem+json"])
        ),
        Row(
            testDescription: "url in a refusal",
            answer: answer(
                404,
                problem(404, "not-found", more: ",\"url\":\"x\""),
                ["Content-Type": "application/problem+json"]
            )
        ),
        Row(
            testDescription: "no Retry-After",
            answer: answer(429, problem(429, "rate-limited"), ["Content-Type": "application/problem+json"])
        ),
        Row(
            testDescription: "no Allow",
            answer: answer(405, problem(405, "method-not-allowed"), ["Content-Type": "application/problem+json"]),
            method: "PUT"
        ),
        Row(testDescription: "a body where there is none", answer: answer(204), method: "DELETE"),
    ]

    @Test(arguments: rows)
    func aChangedAnswerIsFound(_ row: Row) {
        #expect(!Self.faults(row.answer, row.method, row.target).isEmpty)
    }

    /// The client of all tests looks; it says the same fault once.
    @Test func aFaultIsRecorded() {
        let answer = Self.answer(200, Self.drawing, ["X-Recorded": "1"])
        let question = Contract.Question(method: "GET", target: "/north/drawings/7")
        withKnownIssue { ContractWatch.see(answer, to: question) }
        ContractWatch.see(answer, to: question)
    }

    /// What the service takes and the document forbids is a fault of one of them.
    @Test func aRequestThatTheDocumentForbidsIsFound() {
        let answer = Self.answer(200, "{\"printJobId\":1,\"status\":\"queued\"}")
        func faults(_ body: String) -> [String] {
            let request = Request("POST", "/north/drawings/print", json: body)
            return Contract.current.faults(in: answer, to: Contract.Question(request))
        }
        #expect(faults("{\"drawingId\":1,\"copies\":null}") == [])
        #expect(!faults("{\"drawingId\":1,\"copies\":100}").isEmpty)
        #expect(!faults("{\"drawingId\":1,\"colour\":true}").isEmpty)
    }

    @Test(arguments: ["unevaluatedProperties", "not", "patternProperties"])
    func aKeywordThatNobodyChecksIsFound(_ keyword: String) throws {
        let schema = try StrictJSON.parse(Array("{\"\(keyword)\":{}}".utf8))
        #expect(!SchemaCheck(document: .null).faults(of: .null, by: schema).isEmpty)
    }

    @Test func questionsAreReadAsTheyAreWritten() {
        var asked = AskedQuestions()
        let first = Request("POST", "/a/auth/refresh", json: "{\"x\":1}").bytes
        let second = Request("GET", "/a/me", bearer: "x").bytes
        for byte in first + second { asked.written([byte]) }
        asked.written(second + second)
        #expect(asked.next()?.target == "/a/auth/refresh")
        for _ in 0..<3 { #expect(asked.next()?.method == "GET") }
        #expect(asked.next() == nil)
        asked.written(Array("NONSENSE\r\n\r\n".utf8) + second)
        #expect(asked.next() == nil)
    }
}
