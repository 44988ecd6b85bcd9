/// The request that Epson's service pushes scans with, to the byte (Epson Connect API v2, "Scan"): a blank behind `boundary=`, the serial
/// number for a bare word in the head, a file name without quotes.
package struct EpsonPush: Sendable {
    package static let contentType = "multipart/form-data; boundary= -----------MultipartPost"
    private static let delimiter = "-------------MultipartPost"

    package let serial: String
    package let pages: [(name: String, content: [UInt8])]

    package init(serial: String, pages: [(name: String, content: [UInt8])]) {
        self.serial = serial
        self.pages = pages
    }

    package var body: [UInt8] {
        var body: [UInt8] = []
        for page in pages {
            let isPDF = page.content.starts(with: Array("%PDF".utf8))
            body += Array("\(Self.delimiter)\r\n".utf8)
            body += Array("Content-Disposition: form-data; \(serial); filename=\(Self.plain(page.name))\r\n".utf8)
            body += Array("Content-Type: \(isPDF ? "application/pdf" : "image/jpeg")\r\n\r\n".utf8)
            body += page.content
            body += Array("\r\n".utf8)
        }
        return body + Array("\(Self.delimiter)--\r\n".utf8)
    }

    /// Without what would end the line.
    private static func plain(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}
