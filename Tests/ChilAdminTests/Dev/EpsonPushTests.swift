import ChilDevEpson
import ChilHTTP
import Testing

@testable import ChilAdmin

/// The simulator sends what Epson's service sends, to the byte.
@Suite struct EpsonPushTests {
    @Test func theFormIsAsOdd() {
        let push = EpsonPush(
            serial: "X5YZ012345",
            pages: [("EPSON001.JPG", [0xFF, 0xD8]), ("b\r\n c.pdf", Array("%PDF-".utf8))]
        )
        #expect(EpsonPush.contentType == "multipart/form-data; boundary= -----------MultipartPost")
        let expected =
            Array(
                """
                -------------MultipartPost\r
                Content-Disposition: form-data; X5YZ012345; filename=EPSON001.JPG\r
                Content-Type: image/jpeg\r
                \r

                """.utf8
            ) + [0xFF, 0xD8]
            + Array(
                """
                \r
                -------------MultipartPost\r
                Content-Disposition: form-data; X5YZ012345; filename=b c.pdf\r
                Content-Type: application/pdf\r
                \r
                %PDF-\r
                -------------MultipartPost--\r

                """.utf8
            )
        #expect(push.body == expected)
    }

    @Test func theServiceReadsIt() throws {
        let pages: [(String, [UInt8])] = [("a.jpg", [0xFF, 0xD8, 0x0D, 0x0A]), ("그림 1.jpg", [0xFF, 0xD8, 0xFF])]
        let push = EpsonPush(serial: "X5", pages: pages)
        let form = try ScannerForm(push.body, contentType: Array(EpsonPush.contentType.utf8))
        #expect(form.parts.map(\.key) == ["X5", "X5"])
        #expect(form.parts.map(\.fileName) == ["a.jpg", "그림 1.jpg"])
        #expect(form.parts.map { Array(push.body[$0.content]) } == pages.map(\.1))
    }
}
