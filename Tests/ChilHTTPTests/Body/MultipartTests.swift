import ChilHTTP
import Testing

/// Forms, in all cuts.
struct MultipartTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        let name: String
        let text: String
        let parts: [String]
        var fault: Rejection?

        var testDescription: String { name }

        static func refused(_ name: String, _ text: String, _ fault: Rejection = .invalidMultipart) -> Self {
            Self(name: name, text: text, parts: [], fault: fault)
        }
    }

    @Test(arguments: samples)
    func answerDoesNotDependOnPacketBorders(_ sample: Sample) {
        for cut in Cuts.all(of: latin1(sample.text)) {
            let (parts, fault) = read(cut)
            #expect(fault == sample.fault)
            if sample.fault == nil { #expect(parts == sample.parts) }
        }
    }

    private func read(_ pieces: [ArraySlice<UInt8>]) -> ([String], Rejection?) {
        var parser = MultipartParser(boundary: Array("b".utf8))
        var parts: [String] = []
        var content: [UInt8] = []
        for piece in pieces {
            var rest = piece
            reading: while true {
                let (consumed, step) = rest.withUnsafeBytes { parser.receive($0) }
                switch step {
                case .needMoreBytes: break reading
                case .partBegan(let head):
                    parts.append("\(head.name)|\(head.fileName ?? "")|\(head.mediaType?.essence ?? "")|")
                    content = []
                case .partBytes(let range):
                    content += rest[(rest.startIndex + range.lowerBound)..<(rest.startIndex + range.upperBound)]
                case .partHeldBytes(let bytes): content += bytes
                case .partEnded: parts[parts.count - 1] += String(decoding: content, as: UTF8.self)
                case .end: break
                case .reject(let reason): return (parts, reason)
                }
                rest = rest.dropFirst(consumed)
            }
        }
        return (parts, parser.receiveEnd())
    }

    private static func part(_ fields: String, _ content: String) -> String { "--b\r\n\(fields)\r\n\r\n\(content)\r\n" }
    private static let title = "Content-Disposition: form-data; name=\"title\""

    static let samples: [Sample] = [
        Sample(
            name: "a drawing",
            text: part(title, "cat")
                + part(
                    "content-disposition: Form-Data; name=image; filename=\"a\\\"b.png\"\r\nContent-Type: image/PNG",
                    "\r\n\r"
                )
                + "--b--\r\n",
            parts: ["title|||cat", "image|a\"b.png|image/png|\r\n\r"]
        ),
        Sample(name: "empty content", text: part(title, "") + "--b--", parts: ["title|||"]),
        Sample(
            name: "almost boundaries",
            text: part(title, "\r\n--\r\n-b\r\n--a\r\r\n--\r") + "--b--\r\n",
            parts: ["title|||\r\n--\r\n-b\r\n--a\r\r\n--\r"]
        ),
        .refused("boundary then text", part(title, "x") + "--bc"),
        .refused("padding", "--b \r\n\(title)\r\n\r\nx\r\n--b--"),
        .refused("preamble", "x\r\n--b\r\n\(title)\r\n\r\nx\r\n--b--"),
        .refused("CRLF in front", "\r\n--b\r\n\(title)\r\n\r\nx\r\n--b--"),
        .refused("epilogue", part(title, "x") + "--b--\r\nx"),
        .refused("half an epilogue", part(title, "x") + "--b--\r"),
        .refused("no end", part(title, "x")),
        .refused("cut in a part", "--b\r\n\(title)\r\n\r\nx"),
        .refused("nothing", ""), .refused("only the end", "--b--"),
        .refused("no disposition", part("Content-Type: a/b", "x") + "--b--"),
        .refused("no name", part("Content-Disposition: form-data", "x") + "--b--"),
        .refused("two dispositions", part("\(title)\r\n\(title)", "x") + "--b--"),
        .refused("attachment", part("Content-Disposition: attachment; name=a", "x") + "--b--"),
        .refused("base64", part("\(title)\r\nContent-Transfer-Encoding: base64", "x") + "--b--"),
        .refused("bad type", part("\(title)\r\nContent-Type: x", "x") + "--b--"),
        .refused("bare LF in a head", part("\(title)\nX: y", "x") + "--b--", .bareLineFeed),
        .refused("nine parts", String(repeating: part(title, "x"), count: 9) + "--b--", .tooManyParts),
        .refused("long head", part("\(title)\r\nX: \(String(repeating: "y", count: 4_096))", "x"), .partHeadTooLong),
    ]

    @Test func formInMemory() throws {
        let body = Array((Self.part(Self.title, "cat\r\n") + "--b--\r\n").utf8)
        let form = try MultipartForm(body, boundary: Array("b".utf8))
        #expect(form["title"].map { Array(body[$0.content]) } == Array("cat\r\n".utf8))
        #expect(form["image"] == nil)
        let twice = Array((Self.part(Self.title, "a") + Self.part(Self.title, "b") + "--b--").utf8)
        #expect(throws: Rejection.invalidMultipart) { try MultipartForm(twice, boundary: Array("b".utf8)) }
    }
}
