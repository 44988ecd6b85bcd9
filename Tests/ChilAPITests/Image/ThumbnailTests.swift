import ChilMediaTestSupport
import ChilTestSupport
import Foundation
import Testing

/// `GET drawings/{id}/image?size=thumbnail`.
@Suite(.testBed([.implicitNamed, .explicitUnnamed]), .ownThread)
struct ThumbnailTests {
    /// Width and height of a PNG.
    private static func size(_ png: [UInt8]) -> [Int] {
        [16, 20].map { start in png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    private static let large = PNGMaker(width: 900, height: 600) { x, y in
        x / 90 % 2 == y / 90 % 2 ? [0, 0, 0] : [255, 255, 255]
    }
    .file()

    private static func drawing(_ app: App, _ picture: [UInt8]) throws -> (id: Int, url: String) {
        let answer = try app.service.send(app.upload(picture))
        try #require(answer.status == 201, "\(answer.text)")
        return (try answer.int("drawingId"), String(try answer.string("url").dropFirst(Service.publicURL.count)))
    }

    private static func kept(_ app: App, _ bed: TestBed) throws -> Int {
        try Int(bed.query("select count(*) from image_thumbnail where owner_id = \(app.userID)")[0]) ?? -1
    }

    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func aLargeImageIsHadSmall(_ form: ServiceForm) throws {
        let bed = try TestBed.required
        let app = try App(bed.service(form), .north, bed.issuer), other = try App(bed.service(form), .south, bed.issuer)
        let drawing = try Self.drawing(app, Self.large)
        let small = Request("GET", drawing.url + "&size=thumbnail")
        let answer = try app.service.send(small)
        #expect(answer.status == 200 && answer["Content-Type"] == "image/png", "\(answer.text.prefix(300))")
        #expect(Self.size(answer.body) == [512, 341])
        #expect(try Self.kept(app, bed) == 1)
        let tag = try #require(answer["ETag"])
        #expect(try app.service.send(Request("GET", drawing.url))["ETag"] != tag)
        // Whoever is signed in has it by the bearer; a replica that has not made it reads it.
        let path = "drawings/\(drawing.id)/image?size=thumbnail"
        #expect(try app.send("GET", path).body == answer.body)
        let elsewhere = try bed.withReplicas(1) { replicas in try replicas[0].send(small) }
        #expect(elsewhere.body == answer.body)
        #expect(try Self.kept(app, bed) == 1)
        let head = try app.service.send(Request("HEAD", drawing.url + "&size=thumbnail"))
        #expect(head["Content-Length"] == "\(answer.body.count)" && head["ETag"] == tag)
        #expect(try app.service.send(small.adding("If-None-Match", tag)).status == 304)
        let part = try app.service.send(small.adding("Range", "bytes=1-3"))
        #expect(part.status == 206 && part.body == Array(answer.body[1...3]))

        // Nobody else has it, in no way.
        try expectProblem(try other.send("GET", path), 404, "not-found")
        let forged = drawing.url.replacingOccurrences(of: "s=", with: "s=A")
        try expectProblem(try app.service.send(Request("GET", forged + "&size=thumbnail")), 404, "not-found")
        for query in ["size=huge", "size=", "size=thumbnail&variant=original"] {
            try expectProblem(try app.send("GET", "drawings/\(drawing.id)/image?\(query)"), 404, "not-found")
        }
        try expectProblem(
            try app.service.send(Request("GET", "/\(app.tenant.slug)/\(path)")),
            401,
            "unauthorized"
        )

        // It goes with its image.
        #expect(try app.send("DELETE", "drawings/\(drawing.id)").status == 204)
        #expect(try Self.kept(app, bed) == 0)
        try expectProblem(try app.service.send(small), 404, "not-found")
    }

    @Test func aSmallImageIsItsOwn() throws {
        let bed = try TestBed.required
        let app = try App(bed.service(), .north, bed.issuer)
        let picture = Picture.png()
        let drawing = try Self.drawing(app, picture)
        let answer = try app.service.send(Request("GET", drawing.url + "&size=thumbnail"))
        #expect(answer.status == 200 && answer.body == picture)
        #expect(try Self.kept(app, bed) == 0)
    }

    /// A photograph as a PNG would be large even when it is small.
    @Test func noiseBecomesAJPEG() throws {
        let bed = try TestBed.required
        let app = try App(bed.service(), .north, bed.issuer)
        let noise = PNGMaker(width: 640, height: 640) { x, y in
            var seed = UInt32(truncatingIfNeeded: y * 640 + x) &* 2_654_435_769 &+ 1
            for _ in 0..<2 { seed = (seed ^ seed >> 15) &* 0x2C1B_3C6D ^ seed >> 13 }
            return [Int(seed >> 24), Int(seed >> 16 & 255), Int(seed >> 8 & 255)]
        }
        let drawing = try Self.drawing(app, noise.file())
        let answer = try app.service.send(Request("GET", drawing.url + "&size=thumbnail"))
        #expect(answer.status == 200 && answer["Content-Type"] == "image/jpeg")
        #expect(answer.body.count <= 262_144 && answer.body.starts(with: [0xFF, 0xD8]))
    }

    /// A gallery that is opened for the first time asks for all at once.
    @Test func aGalleryIsMadeOnce() throws {
        let bed = try TestBed.required
        let app = try App(bed.service(), .north, bed.issuer)
        let drawings = try (0..<6).map { shade in
            try Self.drawing(app, PNGMaker(width: 700, height: 520) { x, _ in [x & 255, shade * 40, 9] }.file())
        }
        let answers = try inParallel(24) {
            try app.service.send(Request("GET", drawings[$0 % 6].url + "&size=thumbnail"))
        }
        #expect(Set(answers.map(\.status)) == [200])
        #expect(answers.allSatisfy { Self.size($0.body) == [512, 380] })
        #expect(Set(answers.map(\.body)).count == 6)
        #expect(try Self.kept(app, bed) == 6)
    }
}
