import ChilHTTP
import Testing

/// Chunked bodies that are not quite, in all cuts.
struct BodyTests {
    @Test(arguments: chunked)
    func answerDoesNotDependOnPacketBorders(_ sample: MessageCase) {
        let (transcript, fault) = Cuts.transcript(of: sample.bytes)
        #expect(fault == nil)
        #expect(transcript.ending == sample.ending)
        #expect(transcript.requests.count == sample.requests)
    }

    static let chunked: [MessageCase] = [
        .refused("bare LF after the size", chunks: "1\na\r\n0\r\n\r\n", .bareLineFeed),
        .refused("bare CR after the size", chunks: "1\ra\r\n0\r\n\r\n", .bareCarriageReturn),
        .refused("bare LF after the data", chunks: "1\r\na\n0\r\n\r\n", .chunkNotTerminated),
        .refused("more data than announced", chunks: "1\r\nab\r\n0\r\n\r\n", .chunkNotTerminated),
        .refused("0x", chunks: "0x1\r\na\r\n0\r\n\r\n", .invalidChunkSize),
        .refused("sign", chunks: "+1\r\na\r\n0\r\n\r\n", .invalidChunkSize),
        .refused("underscore", chunks: "1_0\r\n", .invalidChunkSize),
        .refused("no size", chunks: "\r\n", .invalidChunkSize),
        .refused("blank in front", chunks: " 1\r\na\r\n", .invalidChunkSize),
        .refused("17 digits", chunks: "00000000000000001\r\na\r\n", .invalidChunkSize),
        .refused("2^63", chunks: "8000000000000000\r\n", .invalidChunkSize),
        .refused("2^64 - 1", chunks: "ffffffffffffffff\r\n", .invalidChunkSize),
        .refused("sum over 2^63", chunks: "1\r\na\r\n7fffffffffffffff\r\n", .invalidChunkSize),
        .refused("over the limit", chunks: "100001\r\n", .bodyTooLarge),
        .refused("over the limit in two", chunks: "1\r\na\r\n100000\r\n", .bodyTooLarge),
        .refused("blank behind", chunks: "1 \r\na\r\n", .invalidChunkExtension),
        .refused("LF in an extension", chunks: "1;a\nb\r\na\r\n", .invalidChunkExtension),
        .refused("CR in an extension", chunks: "1;a\rb\r\na\r\n", .bareCarriageReturn),
        .refused("NUL in an extension", chunks: "1;a=\0\r\na\r\n", .invalidChunkExtension),
        .refused("no extension name", chunks: "1;\r\na\r\n", .invalidChunkExtension),
        .refused("no extension value", chunks: "1;a=\r\na\r\n", .invalidChunkExtension),
        .refused("open quote", chunks: "1;a=\"b\r\na\r\n", .invalidChunkExtension),
        .refused("text behind a quote", chunks: "1;a=\"b\"c\r\na\r\n", .invalidChunkExtension),
        .refused(
            "long extensions",
            chunks: "1;\(String(repeating: "a", count: 4_096))\r\na\r\n",
            .chunkExtensionsTooLong
        ),
        .refused(
            "many extensions",
            chunks: String(repeating: "1;a=bcdef\r\na\r\n", count: 512) + "0\r\n\r\n",
            .chunkExtensionsTooLong
        ),
        .refused("length in trailers", chunks: "0\r\nContent-Length: 1\r\n\r\n", .forbiddenTrailer),
        .refused("coding in trailers", chunks: "0\r\nTransfer-Encoding: chunked\r\n\r\n", .forbiddenTrailer),
        .refused("authorization in trailers", chunks: "0\r\nauthorization: x\r\n\r\n", .forbiddenTrailer),
        .refused("folded trailer", chunks: "0\r\nX: a\r\n b\r\n\r\n", .foldedLine),
        .refused("blank first in trailers", chunks: "0\r\n X: a\r\n\r\n", .blankBeforeFirstField),
        .refused("blank before a trailer's colon", chunks: "0\r\nX : a\r\n\r\n", .blankBeforeColon),
        .refused("33 trailers", chunks: "0\r\n\(String(repeating: "X: a\r\n", count: 33))\r\n", .tooManyFields),
        .refused("long trailer", chunks: "0\r\nX: \(String(repeating: "a", count: 8_192))\r\n\r\n", .trailersTooLong),
        .refused("bare LF as the last line", chunks: "0\r\n\n", .bareLineFeed),
        .read("leading zeros", chunks: "0001\r\na\r\n000\r\n\r\n"),
        .read("extensions", chunks: "1 ; a ; b = c;d=\"\\\"e;\" \t;f\r\na\r\n0;g\r\n\r\n"),
        .read("trailers", chunks: "1\r\na\r\n0\r\nX: a\r\nChecksum: b\r\n\r\n"),
        .read("capital digits", chunks: "A\r\n0123456789\r\n0\r\n\r\n"),
    ]

    @Test func dataIsJoined() {
        let chunks = "5\r\nhello\r\n7;a=b\r\n, world\r\n0\r\nX: y\r\n\r\n"
        let text = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)"
        for cut in Cuts.all(of: Array(text.utf8)) {
            #expect(Transcript.reading(cut).requests.first?.body == Array("hello, world".utf8))
        }
    }

    @Test func tooLongIsKnownFromTheHead() {
        #expect(BodyFraming(.length(11), bytesMax: 10).refusal == .bodyTooLarge)
        #expect(BodyFraming(.length(10), bytesMax: 10).refusal == nil)
        #expect(BodyFraming(.none, bytesMax: 0).isWhole)
    }

    @Test(arguments: [
        (MessageFraming.length(3), "ab", BodyFraming.Step.reject(.badRequest, .truncated)),
        (.length(3), "abc", .end), (.none, "", .end),
        (.chunked, "1\r\na\r\n", .reject(.badRequest, .truncated)),
        (.untilClose, "ab", .end),
        (.untilClose, "abcd", .reject(.contentTooLarge, .bodyTooLarge)),
    ])
    func endOfTheConnection(_ framing: MessageFraming, _ text: String, _ expected: BodyFraming.Step) {
        var body = BodyFraming(framing, bytesMax: 3)
        Array(text.utf8).withUnsafeBytes { bytes in
            var at = 0
            while true {
                let (consumed, step) = body.receive(UnsafeRawBufferPointer(rebasing: bytes[at...]))
                at += consumed
                guard case .bytes = step else { break }
            }
        }
        #expect(body.receiveEnd() == expected)
    }
}
