import ChilTestSupport
import Foundation
import Testing

/// The service with its images in a real S3 server, as clients meet it: they notice nothing.
@Suite(
    .enabled(if: S3Server.isThere, "no S3 server: scripts/test brings one (moto, from PyPI)"),
    .testBed(),
    .ownThread
)
struct ObjectStoreTests {
    /// A service whose images go to a store of its own.
    fileprivate struct Kept {
        let bed: TestBed
        let server: S3Server
        let settings: [String: String]
        let service: Service

        init(_ further: [String: String] = [:]) throws {
            bed = try TestBed.required
            server = try S3Server()
            let file = bed.folder.appendingPathComponent("s3-\(UUID()).key").path
            try #require(
                FileManager.default.createFile(
                    atPath: file,
                    contents: Data("\(server.accessKey):\(server.secret)\n".utf8),
                    attributes: [.posixPermissions: 0o600]
                )
            )
            // Nothing is kept in memory: every read is one of the store.
            settings = further.merging([
                "CHIL_S3_URL": server.url, "CHIL_S3_BUCKET": S3Server.bucket, "CHIL_S3_KEY_FILE": file,
                "CHIL_IMAGE_CACHE_MIB": "0",
            ]) { $1 }
            service = try bed.start(settings)
        }

        func end() throws {
            server.stop()
            #expect(try service.stop() == 0)
        }

        /// `images|chunks|rows with bytes` of a tenant's user.
        func counts(_ app: App) throws -> String {
            let user = "owner_id = \(app.userID)"
            return try bed.query(
                """
                select (select count(*) from image where \(user)), (select count(*) from image_chunk where \(user)),
                       (select count(*) from image where \(user) and bytes is not null)
                """
            )[0]
        }

        func administer(_ line: String) throws -> String {
            var administration = bed.administration
            administration.settings = settings
            administration.settings["CHIL_IMAGE_CACHE_MIB"] = nil
            return try administration.run(line)
        }
    }

    private func image(_ app: App, _ drawing: Int, _ fields: (String, String)...) throws -> Answer {
        var request = app.request("GET", "drawings/\(drawing)/image")
        for field in fields { request = request.adding(field.0, field.1) }
        return try app.service.send(request)
    }

    @Test(arguments: [0, 300_000, 5_000_000, 9_000_000])
    func nobodyNotices(_ bytesMin: Int) throws {
        let kept = try Kept()
        let app = try App(kept.service, .north, kept.bed.issuer)
        let foreign = try App(kept.service, .south, kept.bed.issuer)
        let picture = bytesMin == 0 ? Picture.png() : Picture.jpeg(bytesMin: bytesMin)
        let made = try kept.service.send(app.upload(picture, type: bytesMin == 0 ? "image/png" : "image/jpeg"))
        #expect(made.status == 201, "\(made.text)")
        let drawing = try made.int("drawingId")
        #expect(try kept.counts(app) == "1|0|0")

        let whole = try image(app, drawing)
        #expect(whole.status == 200)
        #expect(try whole.body.count == made.int("byteCount"))
        let tag = try #require(whole["ETag"])
        #expect(try image(app, drawing, ("If-None-Match", tag)).status == 304)
        let last = whole.body.count - 1
        for range in [0...0, 1...last, max(0, last - 10)...last, last / 2...last / 2 + 1] {
            let part = try image(app, drawing, ("Range", "bytes=\(range.lowerBound)-\(range.upperBound)"))
            #expect(part.status == 206 && part.body == Array(whole.body[range]), "\(range)")
        }
        #expect(
            try kept.service.send(app.request("HEAD", "drawings/\(drawing)/image"))["Content-Length"] == "\(last + 1)"
        )
        try expectProblem(try image(foreign, drawing), 404, "not-found")
        // The same bytes from PostgreSQL's side: none.
        let other = try App(moving: app, to: kept.bed.service())
        try expectProblem(try image(other, drawing), 503, "image-store-away")

        let object = try kept.bed.query("select object_id from image where owner_id = \(app.userID)")[0]
        #expect(try app.send("DELETE", "drawings/\(drawing)").status == 204)
        try expectProblem(try image(app, drawing), 404, "not-found")
        let discard = "where kind = 'discard' and subject_id = \(object)"
        try kept.bed.query("update work set run_at = now() \(discard)")
        #expect(try waitUntil(.seconds(20)) { try kept.bed.query("select 1 from work \(discard)").isEmpty })
        #expect(try kept.counts(app) == "0|0|0")
        try kept.end()
    }

    /// With `CHIL_S3_DELIVERY=redirect` the store itself hands the bytes out, by a URL that is signed as Amazon signs.
    @Test func theStoreHandsOut() throws {
        let kept = try Kept(["CHIL_S3_DELIVERY": "redirect"])
        let app = try App(kept.service, .north, kept.bed.issuer),
            foreign = try App(kept.service, .south, kept.bed.issuer)
        let picture = Picture.png()
        let drawing = try kept.service.send(app.upload(picture)).int("drawingId")
        let answer = try image(app, drawing)
        #expect(answer.status == 307 && answer.body.isEmpty && answer["Cache-Control"] == "no-store")
        let address = try #require(answer["Location"])
        #expect(address.hasPrefix("\(kept.server.url)/\(S3Server.bucket)/images/"))
        let query = try #require(URLComponents(string: address)?.queryItems)
        let said = Dictionary(uniqueKeysWithValues: query.map { ($0.name, $0.value) })
        #expect(said["X-Amz-Expires"] == "60" && said["response-content-type"] == "image/png")
        #expect(try said["X-Amz-Signature"] == kept.server.signature(of: address))
        // Who may not have the image is not sent on.
        try expectProblem(try image(foreign, drawing), 404, "not-found")
        // What is small is made and sent here, and so are heads.
        #expect(try app.send("GET", "drawings/\(drawing)/image?size=thumbnail").status == 307)
        #expect(try kept.service.send(app.request("HEAD", "drawings/\(drawing)/image")).status == 200)
        try kept.end()
    }

    /// There and back by the operator, while the service runs.
    @Test func imagesAreMoved() throws {
        let kept = try Kept()
        let tenant = Tenant(slug: "moves")
        try kept.bed.administration.add(tenant, kept.bed.issuer)
        let rows = try App(try kept.bed.service(), tenant, kept.bed.issuer)
        let drawings = try [Picture.png(), Picture.jpeg(bytesMin: 700_000)].map { picture in
            let type = picture.count < 1_000 ? "image/png" : "image/jpeg"
            return try rows.service.send(rows.upload(picture, type: type)).int("drawingId")
        }
        let app = App(moving: rows, to: kept.service)
        let before = try drawings.map { try image(app, $0).body }
        #expect(before.allSatisfy { !$0.isEmpty })
        let out = try kept.administer("image move --to s3 --tenant moves --confirm=moves")
        #expect(out.contains("moves") && out.contains(" 2 "), "\(out)")
        #expect(try kept.counts(app) == "2|0|0")
        #expect(try drawings.map { try image(app, $0).body } == before)
        // A person's export has them.
        let export = try app.send("GET", "me/export")
        #expect(export.status == 200 && export.body.count > before[1].count)
        _ = try kept.administer("image move --to postgres --tenant moves --confirm=moves")
        #expect(try kept.counts(app).hasPrefix("2|"))
        #expect(try drawings.map { try image(rows, $0).body } == before)
        try kept.end()
    }

    /// The store is away: what needs it is 503 within bounds, nothing half is published, and all is well again when it is back.
    @Test func theStoreIsAway() throws {
        let kept = try Kept()
        let app = try App(kept.service, .north, kept.bed.issuer)
        let drawing = try app.makeDrawing()
        kept.server.stop()
        let refused = try waitUntil(.seconds(20)) { try image(app, drawing).status == 503 }
        #expect(refused)
        let upload = try kept.service.send(app.upload(Picture.png()))
        try expectProblem(upload, 503, "image-store-away")
        #expect(upload["Retry-After"] != nil)
        #expect(try app.send("GET", "drawings").array("data").count == 1)
        #expect(try kept.service.send(Request("GET", "/readyz")).status == 200)
        #expect(try app.send("DELETE", "drawings/\(drawing)").status == 204)
        #expect(try kept.service.stop() == 0)
    }
}

/// What the service makes or takes by itself goes to the store as well. No service with another store takes its work.
@Suite(
    .enabled(if: S3Server.isThere, "no S3 server: scripts/test brings one (moto, from PyPI)"),
    .testBed([]),
    .ownThread,
    .serialized
)
struct MadeInObjectStoreTests {
    @Test(arguments: [0, 700_000]) func whatIsMadeGoesThereToo(_ bytesMin: Int) throws {
        let kept = try ObjectStoreTests.Kept()
        let studio = try Studio("kept-\(bytesMin)")
        let app = try studio.app(kept.service), foreign = try App(kept.service, .south, kept.bed.issuer)
        let drawn = try app.draw("a cat")
        #expect(drawn.status == 201, "\(drawn.text)")
        #expect(try kept.counts(app) == "1|0|0")
        #expect(try kept.image(app, drawn.int("drawingId")).status == 200)

        let desk = try ScanDesk(of: app), theirs = try ScanDesk(of: foreign)
        let page = ScanTests.page(bytesMin: bytesMin)
        for one in [desk, theirs] { #expect(try one.push(page).text == #"{"received":1,"repeated":0}"#) }
        let scanned = try #require(try desk.drawings(1).first?["drawingId"] as? Int)
        _ = try theirs.drawings(1)
        #expect(try kept.counts(app) == "3|0|0")
        #expect(try kept.counts(foreign) == "2|0|0")
        #expect(try app.send("GET", "drawings/\(scanned)/image?variant=original").body == page)
        let shown = try kept.image(app, scanned)
        #expect(shown.status == 200 && shown.body.starts(with: [0xFF, 0xD8]))
        try expectProblem(try kept.image(foreign, scanned), 404, "not-found")
        #expect(try app.send("DELETE", "drawings/\(scanned)").status == 204)
        #expect(try kept.counts(app) == "1|0|0")
        try kept.end()
    }

    /// A page that waits and cannot be drawn leaves no object behind.
    @Test func whatComesToNothingLeavesNoObject() throws {
        let kept = try ObjectStoreTests.Kept()
        let tenant = Tenant(slug: "kept-nothing")
        try kept.bed.administration.add(tenant, kept.bed.issuer)
        let desk = try ScanDesk(of: App(kept.service, tenant, kept.bed.issuer))
        #expect(try desk.push(Array("%PDF-1.4\nnothing that is a document \(UUID())".utf8)).status == 200)
        let gone = try waitUntil(.seconds(60)) { try kept.counts(desk.app) == "0|0|0" }
        #expect(gone)
        let discards =
            "select count(*) from work join tenant using (tenant_id) where slug = 'kept-nothing' and kind = 'discard'"
        #expect(try kept.bed.query(discards) == ["1"])
        try kept.end()
    }
}

extension ObjectStoreTests.Kept {
    fileprivate func image(_ app: App, _ drawing: Int) throws -> Answer {
        try service.send(app.request("GET", "drawings/\(drawing)/image"))
    }
}
