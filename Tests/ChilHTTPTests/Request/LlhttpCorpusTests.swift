import ChilHTTP
import ChilTestSupport
import Testing

/// The strict cases of llhttp's own tests; its lenient ones switch off what we never would.
struct LlhttpCorpusTests {
    private struct File: Decodable {
        struct Case: Decodable {
            let file: String
            let line: Int
            let type: String
            let expect: String
            let messagesComplete: Int
            let b64: String

            enum CodingKeys: String, CodingKey {
                case file, line, type, expect, b64
                case messagesComplete = "messages_complete"
            }
        }
        let cases: [Case]
    }

    private static let exceptions: [String: CorpusException] = [
        "connection.md:83": afterClose, "connection.md:296": afterClose, "connection.md:346": afterClose,
        "connection.md:158": .refused(.invalidMethod, after: 1, "one CRLF before a request line is ignored, not two"),
        "connection.md:544": upgrade(.rejected(.invalidTarget)), "connection.md:681": upgrade(.complete),
        "connection.md:715": upgrade(.incomplete), "connection.md:755": upgrade(.rejected(.invalidTarget)),
        "connection.md:814": upgrade(.rejected(.invalidTarget)),
        "content-length.md:446": unfinished(after: 0), "pipelining.md:6": unfinished(after: 2),
        "invalid.md:68": .closed(after: 1, "any token is a method; the router answers 405 or 501"),
        "method.md:29": connect, "method.md:64": connect, "method.md:98": connect, "uri.md:190": connect,
        "method.md:137": .refused(.invalidTarget, "asterisk-form is for OPTIONS alone (RFC 9112 §3.2.4)"),
        "method.md:374": otherProtocol, "method.md:404": otherProtocol, "method.md:432": otherProtocol,
        "sample.md:316": .refused(.invalidRequestLine, "HTTP/0.9 is not spoken"),
        "transfer-encoding.md:753": notURI, "transfer-encoding.md:795": notURI,
        "uri.md:6": notURI, "uri.md:104": notURI,
        "uri.md:167": .refused(.invalidTarget, "a fragment is never sent (RFC 9112 §3.2)"),
        "uri.md:224": .refused(.invalidTarget, "a user name in the target is refused (RFC 9110 §4.2.4)"),
    ]
    private static let afterClose = CorpusException.closed(
        after: 1,
        "what follows Connection: close is not read at all"
    )
    private static let connect = CorpusException.closed(
        after: 1,
        "CONNECT is read, refused by the router, and ends the connection"
    )
    private static let otherProtocol = CorpusException.refused(.invalidVersion, "only HTTP is spoken, no ICE or RTSP")
    private static let notURI = CorpusException.refused(.invalidTarget, "RFC 3986 has no quotes and no vertical bars")

    /// We ignore Upgrade (RFC 9110 §7.8), so what follows is the next request.
    private static func upgrade(_ ending: Transcript.Ending) -> CorpusException {
        CorpusException(requests: 1, ending: ending, reason: "Upgrade is ignored")
    }

    private static func unfinished(after requests: Int) -> CorpusException {
        CorpusException(
            requests: requests,
            ending: .incomplete,
            reason: "the last body is not all there, here it is counted"
        )
    }

    @Test func strictCasesEndAsWantedInAllCuts() throws {
        let file: File = try Vectors.load("http1/llhttp/llhttp_request_cases.json")
        var count = 0
        for entry in file.cases where entry.type == "request" {
            count += 1
            let wanted: CorpusCase.Wanted
            switch entry.expect {
            case "error": wanted = .refused
            case "incomplete": wanted = .incomplete
            default: wanted = .accepted(requests: entry.messagesComplete)
            }
            let bytes = Vectors.bytes(base64: entry.b64)
            judge(
                CorpusCase(name: "\(entry.file):\(entry.line)", bytes: bytes, wanted: wanted),
                exceptions: Self.exceptions
            )
        }
        #expect(count == 134)
    }

    /// With its check on, as it always is here, each lenient case is refused but these, where the leniency is about what
    /// follows a `Connection: close` or nothing at all.
    private static let lenientButRead: [String: Transcript.Ending] = [
        "connection.md:112": .closed, "connection.md:396": .closed,
        "finish.md:8": .complete, "finish.md:32": .incomplete, "finish.md:57": .incomplete,
    ]

    @Test func lenientCasesAreRefusedInAllCuts() throws {
        let file: File = try Vectors.load("http1/llhttp/llhttp_request_cases.json")
        for entry in file.cases where entry.type != "request" {
            let name = "\(entry.file):\(entry.line)"
            let sample = CorpusCase(name: name, bytes: Vectors.bytes(base64: entry.b64), wanted: .refused)
            let exception = Self.lenientButRead[name].map { ending in
                CorpusException(requests: ending == .incomplete ? 0 : 1, ending: ending, reason: "\(ending)")
            }
            judge(sample, exceptions: exception.map { [name: $0] } ?? [:])
        }
    }
}
