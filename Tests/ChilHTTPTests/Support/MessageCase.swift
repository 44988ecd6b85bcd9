import ChilHTTP
import Testing

/// A row of a table of requests: bytes of one connection and how they must end.
struct MessageCase: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let requests: Int
    let ending: Transcript.Ending

    var testDescription: String { name }
    var bytes: [UInt8] { latin1(text) }

    static func refused(_ name: String, _ text: String, _ rejection: Rejection, after requests: Int = 0) -> Self {
        Self(name: name, text: text, requests: requests, ending: .rejected(rejection))
    }

    static func read(_ name: String, _ text: String, requests: Int = 1, ending: Transcript.Ending = .complete) -> Self {
        Self(name: name, text: text, requests: requests, ending: ending)
    }

    /// `line` after a good request line and Host.
    static func refused(_ name: String, line: String, _ rejection: Rejection) -> Self {
        refused(name, "POST / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", rejection)
    }

    static func refused(_ name: String, target: String, _ rejection: Rejection = .invalidTarget) -> Self {
        refused(name, "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", rejection)
    }

    static func refused(_ name: String, host: String) -> Self {
        refused(name, "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", .invalidHost)
    }

    /// `chunks` as the body of a good request.
    static func refused(_ name: String, chunks: String, _ rejection: Rejection) -> Self {
        refused(name, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)", rejection)
    }

    static func read(_ name: String, chunks: String) -> Self {
        read(name, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)")
    }
}
