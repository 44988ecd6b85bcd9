import ChilHTTP
import ChilTestSupport
import Testing

/// Every byte value in field names, field values and trailers, and lengths that contradict each other. No exceptions.
struct SwiftNIOCorpusTests {
    private struct File: Decodable {
        struct Case: Decodable {
            let id: String
            let expect: String
            let b64: String
        }
        let cases: [Case]
    }

    @Test func casesEndAsWantedInAllCuts() throws {
        let file: File = try Vectors.load("http1/swift_nio_cases.json")
        #expect(file.cases.count == 559)
        for entry in file.cases {
            judge(
                CorpusCase(
                    name: entry.id,
                    bytes: Vectors.bytes(base64: entry.b64),
                    wanted: entry.expect == "reject" ? .refused : .accepted(requests: 1)
                ),
                exceptions: [:]
            )
        }
    }
}
