import ChilMediaTestSupport
import Foundation
import Testing

extension EveryRouteTests {
    /// What a camera or a program writes beside the picture is not kept, whichever way the picture came.
    @Suite struct CleanUploads {
        private static let place = "N37.5665E126.9780"

        /// A photo of 8 × 16 pixels lying on its side, with the place in EXIF, XMP and a comment.
        private static func photo(_ bytesMin: Int) throws -> (sent: [UInt8], kept: [UInt8]) {
            let picture = Picture.jpeg(bytesMin: bytesMin)
            var maker = JPEGMaker(columns: 1, rows: 1) { _, _ in [9] }
            (maker.orientation, maker.isLittleEndian) = (6, false)
            let made = maker.file()
            let exif = Array(made[2..<4 + Int(made[5])])
            let secret = Array(place.utf8)
            let extra =
                JPEGMaker.segment(0xE1, Array(exif[4...]) + Array("Apple iOS\0".utf8) + secret)
                + JPEGMaker.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + secret)
                + JPEGMaker.segment(0xFE, secret)
            return (Array(picture[..<2]) + extra + picture[2...], Array(picture[..<2]) + exif + picture[2...])
        }

        private static func form(_ image: [UInt8]) -> [UInt8] {
            Array("--edge\r\nContent-Disposition: form-data; name=\"image\"; filename=\"\(place).jpg\"\r\n\r\n".utf8)
                + image
                + Array("\r\n--edge--\r\n".utf8)
        }

        @Test(
            "A-09 a photo's place is not kept",
            arguments: [0, 600_000, 3 << 20],
            ["image/jpeg", "multipart/form-data; boundary=edge"]
        )
        func noPlaceIsKept(_ bytesMin: Int, _ type: String) throws {
            let app = try EveryRouteTests.app(.implicitNamed)
            let (sent, kept) = try Self.photo(bytesMin)
            let answer = try app.service.send(app.upload(type == "image/jpeg" ? sent : Self.form(sent), type: type))
            try #require(answer.status == 201, "\(answer.text)")
            let id = try answer.int("drawingId")
            #expect(try answer.int("byteCount") == kept.count)
            // It is shown upright: sides as a viewer sees them.
            #expect(try answer.int("width") == 8 && answer.int("height") == 16)
            let image = try app.send("GET", "drawings/\(id)/image")
            #expect(image.body == kept)
            #expect(image.body.firstRange(of: Array(Self.place.utf8)) == nil)
            let bed = try TestBed.required
            // The address of the bytes is that of what is kept.
            let rows = try bed.query(
                """
                select encode(i.hash, 'hex') = encode(sha256(coalesce(i.bytes, (
                           select string_agg(c.bytes, ''::bytea order by c.position) from image_chunk c
                            where (c.tenant_id, c.owner_id, c.hash) = (i.tenant_id, i.owner_id, i.hash)))), 'hex')
                  from image i join drawing d on (d.tenant_id, d.owner_id, d.image_hash) = (i.tenant_id, i.owner_id, i.hash)
                 where d.drawing_id = \(id)
                """
            )
            #expect(rows == ["t"])
            let hex = Self.place.utf8.map { String($0, radix: 16) }.joined()
            let dump = try bed.dump()
            #expect(!dump.contains(hex) && !dump.contains(Self.place))
        }

        @Test("A-09 a PNG's texts are not kept, and the same picture is one image") func noTextIsKept() throws {
            let app = try EveryRouteTests.app(.implicitNamed)
            let picture = Picture.png()
            let text = PNGMaker.chunk("tEXt", Array("GPS\0\(Self.place)".utf8))
            let exif = PNGMaker.chunk("eXIf", Array("MM\0*\(Self.place)".utf8))
            let sent = picture.dropLast(12) + text + exif + picture.suffix(12)
            let ids = try [picture, Array(sent)].map { try app.service.send(app.upload($0)).int("drawingId") }
            for id in ids { #expect(try app.send("GET", "drawings/\(id)/image").body == picture) }
            let count = try TestBed.required.query("select count(*) from image where owner_id = \(app.userID)")
            #expect(count == ["1"])
        }
    }
}
