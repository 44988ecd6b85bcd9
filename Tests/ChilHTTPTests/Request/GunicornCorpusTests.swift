import ChilHTTP
import ChilTestSupport
import Testing

/// Gunicorn's request corpus: what it refuses we refuse, what it accepts we read as it does.
struct GunicornCorpusTests {
    private struct File: Decodable {
        struct Case: Decodable {
            let id: String
            let expect: String
            let b64: String
            let expectedRequests: Requests?

            enum CodingKeys: String, CodingKey {
                case id, expect, b64
                case expectedRequests = "expected_requests"
            }
        }
        let cases: [Case]
    }

    private struct Requests: Decodable {
        struct Request: Decodable {
            struct Target: Decodable { let uri: String }
            let method: String
            let uri: Target
            let version: [Int]
            let headers: [[String]]
            let body: String
        }
        let all: [Request]

        init(from decoder: any Decoder) throws {
            let one = try decoder.singleValueContainer()
            all = try (try? one.decode([Request].self)) ?? [one.decode(Request.self)]
        }
    }

    private static let exceptions: [String: CorpusException] = [
        "invalid/006": .closed(after: 1, "our target limit is 8 KiB, not 4"),
        "invalid/007": .closed(after: 1, "a field may be as long as the head, 32 KiB"),
        "invalid/008": .closed(after: 1, "a field may be as long as the head, 32 KiB"),
        "invalid/limit_header_default_01": .closed(after: 1, "a field may be as long as the head, 32 KiB"),
        "invalid/011": ownLimit, "invalid/012": ownLimit,
        "invalid/040": .closed(after: 1, "an underscore is a token character; names are never mapped to variables"),
        "invalid/rfc9112_chunked_missing_final_crlf_01": CorpusException(
            requests: 0,
            ending: .incomplete,
            reason: "a body cut short is dropped when the connection ends (BodyFraming.receiveEnd)"
        ),
        "valid/005": notURI, "valid/009": notURI, "valid/014": notURI, "valid/027": notURI,
        "valid/025": .refused(.invalidTransferEncoding, "Transfer-Encoding exactly once"),
        "valid/029": .refused(.invalidTransferEncoding, "Transfer-Encoding exactly once"),
        "valid/030": .refused(.invalidTransferEncoding, "Transfer-Encoding exactly once"),
        "valid/025_line": .refused(.unknownTransferCoding, "chunked alone is understood, 501 (RFC 9112 §6.1)"),
        "valid/rfc9112_smuggle_gzip_chunked_01": .refused(.unknownTransferCoding, "chunked alone is understood"),
        "valid/rfc9112_smuggle_te_identity_chunked_01": .refused(.unknownTransferCoding, "chunked alone is understood"),
        "valid/022": .refused(.missingHost, after: 1, "the second request is HTTP/1.1 without a Host"),
        "valid/028": .refused(.blankBeforeColon, "a gunicorn option"),
        "valid/compat_obs_fold": .refused(.foldedLine, "a gunicorn option"),
        "valid/compat_obs_fold_huge": .refused(.foldedLine, "a gunicorn option"),
        "valid/099": CorpusException(
            requests: 0,
            ending: .incomplete,
            reason: "its Content-Length is more than its body"
        ),
        "valid/pp_01": .refused(.invalidTarget, "the PROXY protocol is not spoken"),
        "valid/pp_02": .refused(.invalidTarget, "the PROXY protocol is not spoken"),
        "valid/pp_04": .refused(.invalidMethod, "the PROXY protocol is not spoken"),
        "valid/pp_05": .refused(.invalidMethod, "the PROXY protocol is not spoken"),
        "valid/rfc9112_target_absolute_userinfo_01": .refused(.invalidTarget, "RFC 9110 §4.2.4: an error"),
    ]
    private static let ownLimit = CorpusException(
        requests: 1,
        ending: .complete,
        reason: "refused by a limit that the case sets for gunicorn"
    )
    private static let notURI = CorpusException.refused(
        .invalidTarget,
        "RFC 3986: no fragment in a target, no quotes, no bytes above 0x7E"
    )

    @Test func casesEndAsWantedInAllCuts() throws {
        let file: File = try Vectors.load("http1/gunicorn/gunicorn_cases.json")
        #expect(file.cases.count == 137)
        for entry in file.cases {
            let requests = entry.expectedRequests?.all.count ?? 0
            judge(
                CorpusCase(
                    name: entry.id,
                    bytes: Vectors.bytes(base64: entry.b64),
                    wanted: entry.expect == "invalid" ? .refused : .accepted(requests: requests)
                ),
                exceptions: Self.exceptions
            )
        }
    }

    @Test func acceptedRequestsAreReadTheSame() throws {
        let file: File = try Vectors.load("http1/gunicorn/gunicorn_cases.json")
        for entry in file.cases where entry.expect == "valid" && Self.exceptions[entry.id] == nil {
            let sample = CorpusCase(name: entry.id, bytes: Vectors.bytes(base64: entry.b64), wanted: .incomplete)
            var transcript = Transcript.reading([sample.bytes[...]])
            let isHostOurs = transcript.ending == .rejected(.missingHost)
            if isHostOurs { transcript = .reading([sample.withHost.bytes[...]]) }
            for (request, expected) in zip(transcript.requests, entry.expectedRequests?.all ?? []) {
                let head = request.head
                // One case has a gunicorn option that folds the method's case.
                #expect(Array(head.methodBytes) == latin1(expected.method) || entry.id == "valid/031compat")
                #expect(Array(head.target) == latin1(expected.uri.uri))
                #expect(head.version == (expected.version == [1, 0] ? .http10 : .http11))
                #expect(request.body == latin1(expected.body))
                let lines = head.fieldLines.dropFirst(isHostOurs ? 1 : 0).map { line in
                    [
                        String(decoding: line.name, as: UTF8.self).uppercased(),
                        String(decoding: line.value.map(UInt16.init), as: UTF16.self),
                    ]
                }
                #expect(lines.count >= expected.headers.count)
                for header in expected.headers { #expect(lines.contains(header), "\(entry.id): \(header)") }
            }
        }
    }
}
