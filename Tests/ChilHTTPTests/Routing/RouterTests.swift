import ChilHTTP
import Testing

struct RouterTests {
    static let router = Router([
        "GET /", "GET /healthz", "GET /{tenant}/drawings", "POST /{tenant}/drawings",
        "POST /{tenant}/drawings/print", "GET /{tenant}/drawings/{id}", "DELETE /{tenant}/drawings/{id}",
        "GET /{tenant}/drawings/{id}/image", "GET /{tenant}/.well-known/jwks.json", "HEAD /{tenant}/me",
        "GET /{tenant}/me", "OPTIONS /{tenant}/open",
    ])

    enum Outcome: Equatable, Sendable { case found(Int, [String]), allow(String), options(String), notFound }

    static func outcome(_ line: String) throws -> Outcome {
        let text = "\(line) HTTP/1.1\r\nHost: a\r\n\r\n"
        let head = try #require(Transcript.reading([Array(text.utf8)[...]]).requests.first?.head)
        switch router.match(head) {
        case .found(let number, let captures):
            return .found(number, (0..<captures.count).map { captures.text($0, of: head) ?? "?" })
        case .methodNotAllowed(let allow): return .allow(allow)
        case .options(let allow): return .options(allow)
        case .notFound: return .notFound
        }
    }

    @Test(arguments: [
        ("GET /", Outcome.found(0, [])), ("GET http://a", .found(0, [])), ("GET http://a?x", .found(0, [])),
        ("GET /healthz", .found(1, [])), ("GET /healthz?x=/y", .found(1, [])),
        ("GET /t/drawings", .found(2, ["t"])), ("POST /t/drawings", .found(3, ["t"])),
        ("POST /t/drawings/print", .found(4, ["t"])), ("GET /t/drawings/7", .found(5, ["t", "7"])),
        ("GET https://a/t/drawings/7/image", .found(7, ["t", "7"])),
        ("HEAD /t/drawings/7/image", .found(7, ["t", "7"])),
        ("GET /t/.well-known/jwks.json", .found(8, ["t"])), ("HEAD /t/me", .found(9, ["t"])),
        ("OPTIONS /t/open", .found(11, ["t"])),
        // compared and captured decoded
        ("GET /%74/dr%61wings/%37", .found(5, ["t", "7"])), ("GET /%ED%95%9C/drawings", .found(2, ["한"])),
        ("GET /healt%68z", .found(1, [])),
        // 405 and OPTIONS
        ("PUT /t/drawings", .allow("GET, HEAD, POST, OPTIONS")), ("GET /t/drawings/print", .allow("POST, OPTIONS")),
        ("BREW /healthz", .allow("GET, HEAD, OPTIONS")), ("TRACE /", .allow("GET, HEAD, OPTIONS")),
        ("OPTIONS /t/drawings/7", .options("GET, HEAD, DELETE, OPTIONS")), ("GET /t/open", .allow("OPTIONS")),
        ("OPTIONS *", .options("GET, HEAD, POST, DELETE, OPTIONS")),
        ("CONNECT a:1", .allow("GET, HEAD, POST, DELETE, OPTIONS")),
        // 404
        ("GET /t", .notFound), ("GET /healthz/drawings", .notFound), ("GET /t/drawings/print/image", .notFound),
        ("GET //drawings", .notFound), ("GET /t//drawings", .notFound), ("GET /t/drawings/", .notFound),
        ("GET //", .notFound),
        ("GET /t/../healthz", .notFound), ("GET /./healthz", .notFound), ("GET /../drawings", .notFound),
        ("GET /t/%2e%2E/drawings", .notFound), ("GET /%2e/drawings", .notFound), ("GET /t%2Fdrawings", .notFound),
        ("GET /t/drawings/a%2fb", .notFound), ("GET /t/drawings/%00", .notFound),
        ("GET /t/drawings/7/image/x", .notFound),
        ("GET /Healthz/x", .notFound), ("GET /t/Drawings", .notFound), ("GET /t/drawing", .notFound),
        ("GET /t/drawingss", .notFound),
    ])
    func paths(_ line: String, _ expected: Outcome) throws {
        #expect(try Self.outcome(line) == expected)
    }

    @Test(
        arguments: [
            ("7", 7), ("9223372036854775807", .max), ("9223372036854775808", nil), ("0", nil), ("07", nil), ("-1", nil),
            ("+1", nil), ("1a", nil), ("%37", nil), ("12345678901234567890", nil),
        ] as [(String, Int64?)]
    )
    func numbersHaveOneSpelling(_ segment: String, _ expected: Int64?) throws {
        let text = "GET /t/drawings/\(segment) HTTP/1.1\r\nHost: a\r\n\r\n"
        let head = try #require(Transcript.reading([Array(text.utf8)[...]]).requests.first?.head)
        guard case .found(5, let captures) = Self.router.match(head) else {
            Issue.record("not found")
            return
        }
        #expect(captures.number(1, of: head) == expected)
    }
}
