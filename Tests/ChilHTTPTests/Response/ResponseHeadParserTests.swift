import ChilHTTP
import Testing

/// Answers of other servers, in all cuts.
struct ResponseHeadParserTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        enum Outcome: Equatable, Sendable {
            case read(Int, MessageFraming, keepAlive: Bool, rest: String)
            case incomplete
            case refused(Rejection)
        }

        let name: String
        let text: String
        var method = Method.get
        let outcome: Outcome

        var testDescription: String { name }

        static func line(_ name: String, _ line: String, _ outcome: Outcome) -> Self {
            Self(name: name, text: "HTTP/1.1 200 OK\r\n\(line)\r\n\r\nrest", outcome: outcome)
        }
    }

    @Test(arguments: samples)
    func answerDoesNotDependOnPacketBorders(_ sample: Sample) {
        for cut in Cuts.all(of: latin1(sample.text)) {
            #expect(outcome(cut, sample.method) == sample.outcome)
        }
    }

    private func outcome(_ pieces: [ArraySlice<UInt8>], _ method: Method) -> Sample.Outcome {
        var parser = ResponseHeadParser(answering: method)
        for (number, piece) in pieces.enumerated() {
            let (consumed, step) = piece.withUnsafeBytes { parser.receive($0) }
            switch step {
            case .needMoreBytes: continue
            case .reject(let reason): return .refused(reason)
            case .head(let head):
                let rest = piece.dropFirst(consumed) + pieces[(number + 1)...].joined()
                let text = String(decoding: rest, as: UTF8.self)
                return .read(head.statusCode, head.framing, keepAlive: head.keepAlive, rest: text)
            }
        }
        return .incomplete
    }

    static let samples: [Sample] = [
        .line("length", "Content-Length: 4", .read(200, .length(4), keepAlive: true, rest: "rest")),
        .line("chunked", "Transfer-Encoding: chunked", .read(200, .chunked, keepAlive: true, rest: "rest")),
        .line("until close", "X: y", .read(200, .untilClose, keepAlive: false, rest: "rest")),
        .line(
            "close",
            "Content-Length: 4\r\nConnection: close",
            .read(200, .length(4), keepAlive: false, rest: "rest")
        ),
        .line("Host means nothing", "Host: ,\r\nContent-Length: 0", .read(200, .none, keepAlive: true, rest: "rest")),
        .line("CL and TE", "Content-Length: 4\r\nTransfer-Encoding: chunked", .refused(.lengthAndTransferEncoding)),
        .line("CL twice", "Content-Length: 4\r\nContent-Length: 4", .refused(.invalidContentLength)),
        .line("CL list", "Content-Length: 4, 4", .refused(.invalidContentLength)),
        .line("TE gzip", "Transfer-Encoding: gzip", .refused(.invalidTransferEncoding)),
        .line("folded", "X: a\r\n b", .refused(.foldedLine)),
        .line("bare LF", "X: a\nb", .refused(.bareLineFeed)),
        .line("too many", String(repeating: "X: y\r\n", count: 101), .refused(.tooManyFields)),
        Sample(
            name: "HEAD",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n",
            method: .head,
            outcome: .read(200, .none, keepAlive: true, rest: "")
        ),
        Sample(
            name: "204",
            text: "HTTP/1.1 204 No Content\r\n\r\nHTTP",
            outcome: .read(204, .none, keepAlive: true, rest: "HTTP")
        ),
        Sample(
            name: "304 with a length",
            text: "HTTP/1.1 304 \r\nContent-Length: 4\r\n\r\n",
            outcome: .read(304, .none, keepAlive: true, rest: "")
        ),
        Sample(
            name: "interim answers are skipped",
            text:
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201\r\nContent-Length: 0\r\n\r\nx",
            outcome: .read(201, .none, keepAlive: true, rest: "x")
        ),
        Sample(
            name: "nine interim answers",
            text: String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 9),
            outcome: .refused(.tooManyInterimResponses)
        ),
        Sample(name: "101", text: "HTTP/1.1 101 Switching\r\n\r\n", outcome: .refused(.unexpectedUpgrade)),
        Sample(
            name: "1.0",
            text: "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
            outcome: .read(200, .length(1), keepAlive: false, rest: "x")
        ),
        Sample(
            name: "1.0 chunked",
            text: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            outcome: .refused(.transferEncodingInVersion10)
        ),
        Sample(name: "2.0", text: "HTTP/2.0 200 OK\r\n\r\n", outcome: .refused(.invalidStatusLine)),
        Sample(name: "1.2", text: "HTTP/1.2 200 OK\r\n\r\n", outcome: .refused(.unsupportedVersion)),
        Sample(name: "two digits", text: "HTTP/1.1 20 OK\r\n\r\n", outcome: .refused(.invalidStatusLine)),
        Sample(name: "four digits", text: "HTTP/1.1 2000 OK\r\n\r\n", outcome: .refused(.invalidStatusLine)),
        Sample(name: "600", text: "HTTP/1.1 600 X\r\n\r\n", outcome: .refused(.invalidStatusLine)),
        Sample(name: "099", text: "HTTP/1.1 099 X\r\n\r\n", outcome: .refused(.invalidStatusLine)),
        Sample(name: "CRLF in front", text: "\r\nHTTP/1.1 200 OK\r\n\r\n", outcome: .refused(.invalidStatusLine)),
        Sample(name: "NUL in the reason", text: "HTTP/1.1 200 \0\r\n\r\n", outcome: .refused(.invalidStatusLine)),
        Sample(name: "no CR", text: "HTTP/1.1 200 OK\n\n", outcome: .refused(.bareLineFeed)),
        Sample(name: "cut", text: "HTTP/1.1 200 OK\r\nX: y\r\n", outcome: .incomplete),
        Sample(
            name: "long",
            text: "HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: 32_768))\r\n\r\n",
            outcome: .refused(.headTooLong)
        ),
    ]
}
