import ChilHTTP
import Testing

/// Requests made to be read two ways, and the strictness of the grammar, in all cuts.
struct HostileRequestTests {
    @Test(arguments: framing + fields + hosts + requestLines + limits + pipelines)
    func answerDoesNotDependOnPacketBorders(_ sample: MessageCase) {
        let (transcript, fault) = Cuts.transcript(of: sample.bytes)
        #expect(fault == nil)
        #expect(transcript.ending == sample.ending)
        #expect(transcript.requests.count == sample.requests)
    }

    static let framing: [MessageCase] = [
        .refused("CL.TE", line: "Content-Length: 6\r\nTransfer-Encoding: chunked", .lengthAndTransferEncoding),
        .refused("TE.CL", line: "Transfer-Encoding: chunked\r\nContent-Length: 3", .lengthAndTransferEncoding),
        .refused("CL zero and TE", line: "Content-Length: 0\r\nTransfer-Encoding: chunked", .lengthAndTransferEncoding),
        .refused(
            "TE twice",
            line: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            .invalidTransferEncoding
        ),
        .refused("TE xchunked", line: "Transfer-Encoding: xchunked", .invalidTransferEncoding),
        .refused("TE chunked, identity", line: "Transfer-Encoding: chunked, identity", .invalidTransferEncoding),
        .refused("TE chunked, chunked", line: "Transfer-Encoding: chunked, chunked", .invalidTransferEncoding),
        .refused("TE identity", line: "Transfer-Encoding: identity", .invalidTransferEncoding),
        .refused("TE empty", line: "Transfer-Encoding:", .invalidTransferEncoding),
        .refused("TE quoted", line: "Transfer-Encoding: \"chunked\"", .invalidTransferEncoding),
        .refused("TE with a parameter", line: "Transfer-Encoding: chunked;q=1", .invalidTransferEncoding),
        .refused("TE , chunked", line: "Transfer-Encoding: , chunked", .invalidTransferEncoding),
        .refused("TE gzip, chunked", line: "Transfer-Encoding: gzip, chunked", .unknownTransferCoding),
        .refused("TE with VT", line: "Transfer-Encoding: \u{0B}chunked", .invalidFieldValue),
        .refused("TE with NBSP", line: "Transfer-Encoding: \u{A0}chunked", .invalidTransferEncoding),
        .refused("TE with space before colon", line: "Transfer-Encoding : chunked", .blankBeforeColon),
        .refused("TE with tab before colon", line: "Transfer-Encoding\t: chunked", .blankBeforeColon),
        .refused("TE after CR", line: "X: y\rTransfer-Encoding: chunked", .bareCarriageReturn),
        .refused("TE after LF", line: "X: y\nTransfer-Encoding: chunked", .bareLineFeed),
        .refused("TE folded", line: "Transfer-Encoding:\r\n chunked", .foldedLine),
        .refused(
            "TE with 1.0",
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .transferEncodingInVersion10
        ),
        .refused("CL twice, equal", line: "Content-Length: 3\r\nContent-Length: 3", .invalidContentLength),
        .refused("CL list, equal", line: "Content-Length: 3, 3", .invalidContentLength),
        .refused("CL sign", line: "Content-Length: +3", .invalidContentLength),
        .refused("CL hex", line: "Content-Length: 0x3", .invalidContentLength),
        .refused("CL empty", line: "Content-Length:", .invalidContentLength),
        .refused("CL 2^63", line: "Content-Length: 9223372036854775808", .invalidContentLength),
        .refused("CL of 20 digits", line: "Content-Length: 00000000000000000001", .invalidContentLength),
        .refused("CL fraction", line: "Content-Length: 3.0", .invalidContentLength),
        .refused("CL of other digits", line: "Content-Length: \u{B2}", .invalidContentLength),
        .refused("CL over the limit", line: "Content-Length: 1048577", .bodyTooLarge),
        .read("TE in capitals", "POST / HTTP/1.1\r\nHost: a\r\nTRANSFER-ENCODING: CHUNKED\r\n\r\n0\r\n\r\n"),
        .read("CL with blanks around", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \t3\t \r\n\r\nabc"),
        .read(
            "CL with leading zeros is decimal",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 010\r\n\r\n0123456789"
        ),
    ]

    static let fields: [MessageCase] = [
        .refused("NUL in a value", line: "X: a\0b", .invalidFieldValue),
        .refused("NUL in a name", line: "X\0: a", .invalidFieldName),
        .refused("ESC in a value", line: "X: \u{1B}[31m", .invalidFieldValue),
        .refused("DEL in a value", line: "X: aaaaaaaaaaaaaaaa\u{7F}", .invalidFieldValue),
        .refused("byte 0x80 in a name", line: "X\u{80}: a", .invalidFieldName),
        .refused("byte 0xFF in a name", line: "\u{FF}: a", .invalidFieldName),
        .refused("no name", line: ": a", .invalidFieldName),
        .refused("no colon", line: "Xa", .invalidFieldName),
        .refused("name in quotes", line: "\"X\": a", .invalidFieldName),
        .refused("folded", line: "X: a\r\n b", .foldedLine),
        .refused("folded with a tab", line: "X: a\r\n\tb", .foldedLine),
        .refused("blank before the first", "GET / HTTP/1.1\r\n X: a\r\nHost: a\r\n\r\n", .blankBeforeFirstField),
        .refused("blank line of a space", line: "X: a\r\n \r\n", .foldedLine),
        .refused("CR at the end of a value", line: "X: a\r", .bareCarriageReturn),
        .refused("CR CR LF at the end", "GET / HTTP/1.1\r\nHost: a\r\n\r\r\n", .bareCarriageReturn),
        .refused("LF LF at the end", "GET / HTTP/1.1\r\nHost: a\n\n", .bareLineFeed),
        .refused("LF as the empty line", "GET / HTTP/1.1\r\nHost: a\r\n\n", .bareLineFeed),
        .refused("Content-Type twice", line: "Content-Type: a/b\r\ncontent-type: a/b", .repeatedField),
        .refused("Authorization twice", line: "Authorization: a\r\nAuthorization: b", .repeatedField),
        .refused("Idempotency-Key twice", line: "Idempotency-Key: a\r\nIdempotency-Key: b", .repeatedField),
        .refused("other expectation", line: "Expect: 200-ok", .unknownExpectation),
        .read("obs-text and tabs in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: \u{80}\t\u{FF}\r\n\r\n"),
        .read("empty value", "GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY: \t \r\n\r\n"),
    ]

    static let hosts: [MessageCase] = [
        .refused("no Host", "GET / HTTP/1.1\r\n\r\n", .missingHost),
        .refused("Host twice", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .invalidHost),
        .refused("Host twice, equal", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", .invalidHost),
        .refused("Host twice in 1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", .invalidHost),
        .refused("no Host beside an absolute target", "GET http://a/ HTTP/1.1\r\n\r\n", .missingHost),
        .refused("empty", host: ""), .refused("comma", host: "a,b"), .refused("user", host: "u@a"),
        .refused("space", host: "a b"), .refused("path", host: "a/b"), .refused("port too big", host: "a:65536"),
        .refused("port letters", host: "a:b"), .refused("two ports", host: "a:1:2"),
        .refused("only a port", host: ":80"),
        .refused("bad escape", host: "a%2"), .refused("quote", host: "a\"b"), .refused("non-ASCII", host: "\u{E9}"),
        .refused("IPv6 without brackets", host: "::1"), .refused("IPv6 cut", host: "[::1"),
        .refused("IPv6 of 9 groups", host: "[1:2:3:4:5:6:7:8:9]"), .refused("IPv6 two gaps", host: "[1::2::3]"),
        .refused("IPv6 with a zone", host: "[fe80::1%25eth0]"), .refused("IPv6 then text", host: "[::1]a"),
        .refused("IPv6 ends in a colon", host: "[1:2:3:4:5:6:7:]"),
        .refused("IPv6 with bad IPv4", host: "[::1.2.3.256]"),
        .read("port empty", "GET / HTTP/1.1\r\nHost: a:\r\n\r\n"),
        .read("IPv6 and port", "GET / HTTP/1.1\r\nHost: [2001:db8::1]:8080\r\n\r\n"),
        .read("IPv6 of IPv4", "GET / HTTP/1.1\r\nHost: [::ffff:1.2.3.4]\r\n\r\n"),
        .read("none in 1.0", "GET / HTTP/1.0\r\n\r\n", ending: .closed),
    ]

    static let requestLines: [MessageCase] = [
        .refused("fragment", target: "/a#b"), .refused("quote", target: "/\"a"), .refused("pipe", target: "/a|b"),
        .refused("backslash", target: "/a\\b"), .refused("bracket in the path", target: "/[a]"),
        .refused("bracket in the query", target: "/?a[]=1"), .refused("0x80", target: "/\u{80}"),
        .refused("NUL", target: "/\0"), .refused("DEL", target: "/\u{7F}"), .refused("tab", target: "/a\tb"),
        .refused("escape cut", target: "/%"), .refused("escape cut short", target: "/%2"),
        .refused("escape of letters", target: "/%zz"), .refused("relative", target: "a"),
        .refused("asterisk", target: "*"), .refused("other scheme", target: "ftp://a/"),
        .refused("no host", target: "http:///a"), .refused("user in the target", target: "http://u:p@a/"),
        .refused("authority", target: "a:80"),
        .refused("CONNECT without a port", "CONNECT a HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget),
        .refused("CONNECT with a path", "CONNECT /a HTTP/1.1\r\nHost: a\r\n\r\n", .invalidTarget),
        .refused("two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .invalidRequestLine),
        .refused("two spaces before the version", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", .invalidVersion),
        .refused("space in front", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", .invalidMethod),
        .refused("space behind", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .invalidVersion),
        .refused("no version", "GET /\r\nHost: a\r\n\r\n", .invalidRequestLine),
        .refused("lower-case version", "GET / http/1.1\r\nHost: a\r\n\r\n", .invalidVersion),
        .refused("version 1.10", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", .invalidVersion),
        .refused("version 1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", .unsupportedVersion),
        .refused("version 2.0", "PRI / HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion),
        .refused("version 0.9", "GET / HTTP/0.9\r\n\r\n", .unsupportedVersion),
        .refused("LF after the version", "GET / HTTP/1.1\nHost: a\r\n\r\n", .bareLineFeed),
        .refused("CR after the version", "GET / HTTP/1.1\rHost: a\r\n\r\n", .bareCarriageReturn),
        .refused("LF in front", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .bareLineFeed),
        .refused("two CRLF in front", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .invalidMethod),
        .refused("method of 33", "\(String(repeating: "M", count: 33)) / HTTP/1.1\r\nHost: a\r\n\r\n", .invalidMethod),
        .refused("TLS", "\u{16}\u{03}\u{01}\u{02}\0\u{01}\0", .invalidMethod),
        .read("method of 32", "\(String(repeating: "M", count: 32)) / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .read("one CRLF in front", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .read("absolute target with another Host", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        .read("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
        .read("CONNECT ends the connection", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\nGET", ending: .closed),
    ]

    private static let long = String(repeating: "a", count: 8_191)
    static let limits: [MessageCase] = [
        .read("target of 8,192", "GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n"),
        .refused("target of 8,193", "GET /\(long)a HTTP/1.1\r\nHost: a\r\n\r\n", .targetTooLong),
        .refused("target of 8,193 and bad", "GET /\(long)a\0 HTTP/1.1\r\nHost: a\r\n\r\n", .targetTooLong),
        .read("100 fields", "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 99))\r\n"),
        .refused(
            "101 fields",
            "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 100))\r\n",
            .tooManyFields
        ),
        .read(
            "head of 32,768",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 32_768 - 32))\r\n\r\n"
        ),
        .refused(
            "head of 32,769",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 32_768 - 31))\r\n\r\n",
            .headTooLong
        ),
    ]

    static let pipelines: [MessageCase] = [
        .read(
            "three requests",
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab"
                + "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            requests: 3
        ),
        .refused(
            "bad second",
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost : a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n",
            .blankBeforeColon,
            after: 1
        ),
        .read(
            "nothing after close",
            "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
            ending: .closed
        ),
        .read(
            "1.0 kept alive",
            "GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n",
            requests: 2,
            ending: .closed
        ),
    ]
}
