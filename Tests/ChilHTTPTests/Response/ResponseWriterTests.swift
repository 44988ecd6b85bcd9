import Testing

@testable import ChilHTTP

/// What a response looks like on the wire, and that no value can add a line to it.
struct ResponseWriterTests {
    private func lines(_ response: Response, keepAlive: Bool = true, isForHTTP10: Bool = false) -> [String] {
        let bytes = response.head(date: DateField(), keepAlive: keepAlive, isForHTTP10: isForHTTP10)
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

    /// The room for fields grows with them, and a copy that grows leaves the other as it is.
    @Test(arguments: [0, 1, 3, 20, 300])
    func fieldsStandInTheirOrder(_ count: Int) {
        var response = Response(.ok)
        var expected = lines(response)
        for number in 0..<count {
            let value = String(repeating: "é\t", count: number * 7 % 200) + "\(number)"
            response.add("X-Field", value)
            expected.append("X-Field: \(value)")
        }
        let copy = response
        response.add("X-Last", "")
        #expect(lines(response) == expected + ["X-Last: "])
        #expect(lines(copy) == expected)
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
