import Testing

@testable import ChilHTTP

/// A push, and what must be read out of it.
struct ScannerRow: Sendable, CustomTestStringConvertible {
    let name: String
    var contentType = "multipart/form-data; boundary= -----------MultipartPost"
    /// Latin-1: a letter is a byte.
    let body: String
    /// Key, file name, content.
    var parts: [[String?]] = []
    var fault: ScannerForm.Fault?
    var testDescription: String { name }

    static func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    static let first = "-------------MultipartPost\r\n"
    static let last = "\r\n-------------MultipartPost--\r\n"

    static func part(_ disposition: String, _ content: String = "DATA", type: String = "image/jpeg") -> String {
        "Content-Disposition: \(disposition)\r\nContent-Type: \(type)\r\n\r\n\(content)"
    }

    static let all: [Self] = [
        Self(
            name: "as Epson sends it",
            body: first + part("form-data; X5YZ012345; filename=EPSON001.JPG") + last,
            parts: [["X5YZ012345", "EPSON001.JPG", "DATA"]]
        ),
        Self(
            name: "several pages",
            body: first + part("form-data; X5; filename=1.jpg", "ONE") + "\r\n" + first
                + part("form-data; X5; filename=2.jpg", "TWO")
                + last,
            parts: [["X5", "1.jpg", "ONE"], ["X5", "2.jpg", "TWO"]]
        ),
        Self(
            name: "a name as RFC 7578 wants it",
            body: first + part("form-data; name=\"X5\"; filename=\"a; b.jpg\"") + last,
            parts: [["X5", "a; b.jpg", "DATA"]]
        ),
        Self(
            name: "no name at all",
            body: first + part("form-data; filename=a b.jpg") + last,
            parts: [[nil, "a b.jpg", "DATA"]]
        ),
        Self(name: "nothing but form-data", body: first + part("form-data") + last, parts: [[nil, nil, "DATA"]]),
        Self(
            name: "an empty name",
            body: first + part("form-data; name=; filename=") + last,
            parts: [[nil, nil, "DATA"]]
        ),
        Self(
            name: "the file's name first",
            body: first + part("form-data; filename=a.jpg; X5") + last,
            parts: [["X5", "a.jpg", "DATA"]]
        ),
        Self(
            name: "blanks anywhere",
            body: first + part("form-data ;  name = X5 ;filename =  a.jpg  ") + last,
            parts: [["X5", "a.jpg", "DATA"]]
        ),
        Self(
            name: "a name in Shift-JIS, with a backslash for a second byte",
            body: first + part("form-data; X5; filename=\u{83}\u{5C}\u{83}\u{4F}.jpg") + last,
            parts: [["X5", nil, "DATA"]]
        ),
        Self(
            name: "a name in EUC-KR",
            body: first + part("form-data; X5; filename=\u{B1}\u{D7}\u{B8}\u{B2}.jpg") + last,
            parts: [["X5", nil, "DATA"]]
        ),
        Self(
            name: "a name in UTF-8",
            body: first + part("form-data; X5; filename=\u{EA}\u{B7}\u{B8}\u{EB}\u{A6}\u{BC}.jpg") + last,
            parts: [["X5", "그림.jpg", "DATA"]]
        ),
        Self(
            name: "a control character in a name",
            body: first + part("form-data; X\u{7}; filename=a\0b") + last,
            parts: [[nil, nil, "DATA"]]
        ),
        Self(
            name: "no disposition",
            body: first + "Content-Type: image/jpeg\r\n\r\nDATA" + last,
            parts: [[nil, nil, "DATA"]]
        ),
        Self(name: "no head", body: first + "\r\nDATA" + last, parts: [[nil, nil, "DATA"]]),
        Self(name: "no content", body: first + part("form-data; X5; filename=a", "") + last, parts: [["X5", "a", ""]]),
        Self(
            name: "content that looks like a delimiter",
            body: first
                + part(
                    "form-data; X5",
                    "\r\n--\r\n------------MultipartPost\r\nx-------------MultipartPost\r\n-------------MultipartPostX"
                )
                + last,
            parts: [
                [
                    "X5", nil,
                    "\r\n--\r\n------------MultipartPost\r\nx-------------MultipartPost\r\n-------------MultipartPostX",
                ]
            ]
        ),
        Self(
            name: "line ends of Unix",
            body:
                "-------------MultipartPost\nContent-Disposition: form-data; X5; filename=a\n\nDATA\n-------------MultipartPost--\n",
            parts: [["X5", "a", "DATA"]]
        ),
        Self(
            name: "the boundary's own hyphens and no more",
            contentType: "multipart/form-data; boundary=-----------MultipartPost",
            body: "-----------MultipartPost\r\n" + part("form-data; X5") + "\r\n-----------MultipartPost--",
            parts: [["X5", nil, "DATA"]]
        ),
        Self(
            name: "something before and behind",
            body: "\r\nhello\r\n" + first + part("form-data; X5") + last + "bye",
            parts: [["X5", nil, "DATA"]]
        ),
        Self(
            name: "a boundary in quotes, in capitals, behind another parameter",
            contentType: "  MULTIPART/FORM-DATA; charset=\"x;y\" ; Boundary=\" b c \"",
            body: "-- b c \r\n" + part("form-data; X5") + "\r\n-- b c --",
            parts: [["X5", nil, "DATA"]]
        ),
        Self(name: "no parts", body: "-------------MultipartPost--\r\n", parts: []),
        Self(name: "no form", contentType: "image/jpeg", body: "x", fault: .notAForm),
        Self(name: "no type", contentType: "", body: "x", fault: .notAForm),
        Self(name: "no boundary", contentType: "multipart/form-data", body: "x", fault: .noBoundary),
        Self(
            name: "an empty boundary",
            contentType: "multipart/form-data; boundary= ; x=y",
            body: "x",
            fault: .noBoundary
        ),
        Self(
            name: "a boundary without end",
            contentType: "multipart/form-data; boundary=" + String(repeating: "b", count: 201),
            body: "x",
            fault: .noBoundary
        ),
        Self(name: "another boundary", body: "--other\r\n\r\nDATA\r\n--other--", fault: .noParts),
        Self(name: "an empty body", body: "", fault: .noParts),
        Self(name: "cut in the head", body: first + "Content-Disposition: form-da", fault: .cutOff),
        Self(name: "cut in the content", body: first + part("form-data; X5"), fault: .cutOff),
        Self(
            name: "a head without end",
            body: first + "X: " + String(repeating: "y", count: 5_000) + "\r\n\r\nDATA" + last,
            fault: .partHeadTooLong
        ),
        Self(
            name: "many lines of head",
            body: first + String(repeating: "X: y\r\n", count: 1_000) + "\r\nDATA" + last,
            fault: .partHeadTooLong
        ),
        Self(
            name: "more parts than a feeder holds",
            body: String(repeating: first + "\r\nDATA\r\n", count: 65) + "-------------MultipartPost--",
            fault: .tooManyParts
        ),
    ]
}

@Suite("Scanner's form")
struct ScannerFormTests {
    private func read(_ body: [UInt8], _ contentType: [UInt8]) -> Result<[[String?]], ScannerForm.Fault> {
        Result { () throws(ScannerForm.Fault) in
            let form = try ScannerForm(body, contentType: contentType)
            return form.parts.map { [$0.key, $0.fileName, String(decoding: body[$0.content], as: UTF8.self)] }
        }
    }

    @Test(arguments: ScannerRow.all)
    func saysExactlyWhatIsInIt(_ row: ScannerRow) {
        let result = read(ScannerRow.bytes(row.body), ScannerRow.bytes(row.contentType))
        if let fault = row.fault {
            #expect(result == .failure(fault))
        } else {
            #expect(result == .success(row.parts))
        }
    }

    /// Cut anywhere, a body is refused, or its parts are those of the whole one.
    @Test(arguments: ScannerRow.all.filter { $0.fault == nil && $0.body.utf8.count < 1_000 })
    func everyCutIsRefusedOrWhole(_ row: ScannerRow) {
        let bytes = ScannerRow.bytes(row.body)
        let type = ScannerRow.bytes(row.contentType)
        for count in bytes.indices {
            if case .success(let parts) = read(Array(bytes[..<count]), type) {
                #expect(parts == row.parts, "cut at \(count)")
            }
        }
    }

    /// Whatever one byte becomes: contents lie in the body, one behind the other.
    @Test(arguments: ScannerRow.all.filter { $0.body.utf8.count < 1_000 })
    func everyChangedByteIsBorne(_ row: ScannerRow) {
        let bytes = ScannerRow.bytes(row.body)
        let type = ScannerRow.bytes(row.contentType)
        for index in bytes.indices {
            for value: UInt8 in [0, 0x0A, 0x0D, 0x20, 0x2D, 0x3B, 0x3D, 0x22, 0xFF, bytes[index] ^ 1] {
                var changed = bytes
                changed[index] = value
                guard let form = try? ScannerForm(changed, contentType: type) else { continue }
                var end = 0
                for part in form.parts {
                    #expect(part.content.lowerBound >= end && part.content.upperBound <= changed.count)
                    end = part.content.upperBound
                }
            }
        }
        for index in type.indices {
            for value: UInt8 in [0, 0x20, 0x3B, 0x3D, 0x22, 0xFF] {
                var changed = type
                changed[index] = value
                _ = try? ScannerForm(bytes, contentType: changed)
            }
        }
    }

    /// Bodies made to take long: they take a pass or two.
    @Test func halfDelimitersAreOnePass() {
        let half = Array("\n-------------MultipartPos".utf8)
        let body = Array("-------------MultipartPost\r\n\r\n".utf8) + (0..<200_000).flatMap { _ in half }
        let type = Array("multipart/form-data; boundary=-----------MultipartPost".utf8)
        #expect(throws: ScannerForm.Fault.cutOff) { try ScannerForm(body, contentType: type) }
        let hyphens = [UInt8](repeating: 0x2D, count: 5_000_000)
        #expect(throws: ScannerForm.Fault.noParts) { try ScannerForm(hyphens, contentType: type) }
    }
}
