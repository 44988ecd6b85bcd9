import ChilMediaTestSupport
import Testing

extension RefusalTests {
    @Suite struct ImageRefusals {
        struct Row: Sendable, CustomTestStringConvertible {
            let name: String
            let bytes: [UInt8]
            /// A part of the sentence that the person reads.
            let says: String

            var testDescription: String { name }

            static let all = [
                Row(name: "nothing", bytes: [], says: "no image bytes"),
                Row(name: "text", bytes: Array("I am a picture".utf8), says: "not an image"),
                Row(name: "a PNG's signature alone", bytes: PNGMaker.signature, says: "ends too early"),
                Row(name: "a truncated PNG", bytes: Array(Picture.png().dropLast(8)), says: "ends too early"),
                Row(name: "a truncated JPEG", bytes: Array(Picture.jpeg().dropLast(9)), says: "ends too early"),
                Row(name: "a damaged PNG", bytes: damaged(Picture.png()), says: "damaged"),
                Row(name: "bytes after a PNG", bytes: Picture.png() + Array("<script>".utf8), says: "damaged"),
                Row(
                    name: "a ZIP",
                    bytes: Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 80),
                    says: "not an image"
                ),
                Row(
                    name: "a JPEG that is a ZIP too",
                    bytes: Picture.jpeg() + Array("PK\u{3}\u{4}".utf8),
                    says: "damaged"
                ),
                Row(name: "a bomb", bytes: Picture.png(width: 50_000, height: 50_000), says: "too long"),
                Row(name: "no width", bytes: Picture.png(width: 0, height: 1), says: "a side is zero"),
                Row(name: "a side too long", bytes: Picture.png(width: 30_001, height: 1), says: "too long"),
                Row(name: "too many pixels", bytes: Picture.png(width: 8_001, height: 8_000), says: "too many pixels"),
                Row(
                    name: "more than 2³² pixels",
                    bytes: Picture.png(width: 0x7fff_ffff, height: 0x7fff_ffff),
                    says: "too long"
                ),
                Row(name: "HEIC", bytes: [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8), says: "This is HEIC"),
                Row(name: "GIF", bytes: Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 20), says: "This is GIF"),
                Row(name: "SVG", bytes: Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), says: "send"),
                Row(name: "PDF", bytes: Array("%PDF-1.7\n".utf8), says: "This is PDF"),
            ]

            private static func damaged(_ file: [UInt8]) -> [UInt8] {
                var file = file
                file[file.count / 2] ^= 0xff
                return file
            }
        }

        @Test(
            "A-08 bombs, halves and what is no picture are refused before they are decoded",
            arguments: Row.all,
            ["image/png", "multipart/form-data; boundary=edge"]
        )
        func whatIsNoPictureIsRefused(_ row: Row, _ type: String) throws {
            let app = try RefusalTests.app()
            let body =
                type == "image/png"
                ? row.bytes
                : Array("--edge\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a\"\r\n\r\n".utf8)
                    + row.bytes
                    + Array("\r\n--edge--\r\n".utf8)
            let answer = try app.service.send(app.upload(body, type: type))
            try expectProblem(answer, 422, "invalid-image")
            #expect(try answer.string("detail").contains(row.says), "\(answer.text)")
            #expect(try app.send("GET", "drawings").array("data").isEmpty)
        }

        /// Forms whose parts are wrong: which part is told.
        @Test(arguments: [
            ("/image", [("title", "a")]), ("/type", [("type", "GENERATED"), ("image", "")]),
            ("/type", [("type", "scanned"), ("image", "")]), ("/other", [("other", "a"), ("image", "")]),
            ("/title", [("title", String(repeating: "a", count: 401)), ("image", "")]),
        ])
        func aWrongPartIsNamed(_ pointer: String, _ parts: [(String, String)]) throws {
            let app = try RefusalTests.app()
            let body = parts.map { "--edge\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }
                .joined()
            let answer = try app.service.send(
                app.upload(Array((body + "--edge--\r\n").utf8), type: "multipart/form-data; boundary=edge")
            )
            try expectProblem(answer, 422, "invalid-fields", pointer: pointer)
        }
    }
}
