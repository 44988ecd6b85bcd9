import Testing

@testable import ChilHTTP

/// What a response looks like on the wire, and that no value can add a line to it.
struct ResponseWriterTests {
    private func lines(_ response: Response, keepAlive: Bool = true, isForHTTP10: Bool = false) -> [String] {
        var bytes: [UInt8] = []
        response.writeHead(into: &bytes, date: DateField(), keepAlive: keepAlive, isForHTTP10: isForHTTP10)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasSuffix("\r\n\r\n"))
        return text.split(separator: "\r\n").map(String.init)
    }

    @Test(arguments: ["\r\nX: y", "a\nX: y", "a\rX: y", "a\0b", "\u{7F}", "\u{1B}[0m", "\r\n\r\nHTTP/1.1 200 OK"])
    func valuesCannotBeginALine(_ hostile: String) {
        var response = Response(.seeOther)
        response.add("Location", hostile)
        let written = lines(response)
        #expect(written.count == lines(Response(.seeOther)).count + 1)
        #expect(written.allSatisfy { line in line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } })
        #expect(!written.contains { $0.hasPrefix("X:") })
    }

    @Test func lengthAndConnection() {
        #expect(lines(Response(.ok, "a/b", .bytes([1, 2]))).contains("Content-Length: 2"))
        #expect(lines(Response(.ok)).contains("Content-Length: 0"))
        #expect(!lines(Response(.noContent)).contains { $0.hasPrefix("Content-Length") })
        #expect(!lines(Response(.notModified)).contains { $0.hasPrefix("Content-Length") })
        #expect(lines(Response(.ok), keepAlive: false).contains("Connection: close"))
        #expect(lines(Response(.ok), isForHTTP10: true).contains("Connection: keep-alive"))
        #expect(lines(Response(.ok)).contains("X-Content-Type-Options: nosniff"))
        #expect(lines(Response(.ok)).first == "HTTP/1.1 200 OK")
    }
}
