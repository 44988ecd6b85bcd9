import ChilDevEpson
import ChilMediaTestSupport
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// Pages come as Epson's service pushes them, and become drawings.
@Suite(.testBed(), .ownThread)
struct ScanTests {
    /// A page of 640 × 800 pixels: yellowish paper with a dark square, and something that no other page has.
    static func page(bytesMin: Int = 0) -> [UInt8] {
        let shade = [UInt8.random(in: 20...60)]
        var maker = JPEGMaker(columns: 80, rows: 100) { column, row in
            (20..<60).contains(column) && (30..<70).contains(row) ? shade : [200]
        }
        let table = [0] + (0..<64).map { _ in UInt8.random(in: 1...255) }
        let tables = bytesMin == 0 ? table : [[UInt8]](repeating: table, count: 900).flatMap { $0 }
        repeat { maker.extraSegments += JPEGMaker.segment(0xDB, tables) } while maker.extraSegments.count < bytesMin
        return maker.file()
    }

    private static func person(_ tenant: Tenant = .north) throws -> App {
        let bed = try TestBed.required
        return try App(try bed.service(), tenant, bed.issuer)
    }

    private static func audit(_ action: String, _ condition: String) throws -> [String] {
        try TestBed.required.query("select detail from audit where action = '\(action)' and \(condition)")
    }

    @Test("a page becomes a scanned drawing, cut and white, its original beside it", arguments: [0, 700_000])
    func aPageBecomesADrawing(_ bytesMin: Int) throws {
        let desk = try ScanDesk(of: Self.person())
        let page = Self.page(bytesMin: bytesMin)
        let answer = try desk.push(page)
        #expect(answer.status == 200)
        #expect(answer.text == #"{"received":1,"repeated":0}"#)
        let drawing = try #require(try desk.drawings(1).first)
        #expect(drawing["type"] as? String == "SCANNED" && drawing["status"] as? String == "READY")
        #expect(drawing["mediaType"] as? String == "image/jpeg")
        let width = try #require(drawing["width"] as? Int)
        #expect((340...400).contains(width), "cut to the square: \(width)")

        let id = try #require(drawing["drawingId"] as? Int)
        let shown = try desk.app.send("GET", "drawings/\(id)/image")
        #expect(shown.status == 200 && shown.body != page)
        let original = try desk.app.send("GET", "drawings/\(id)/image?variant=original")
        #expect(original.status == 200 && original.body == page && original["Content-Type"] == "image/jpeg")
        #expect(original["ETag"] != shown["ETag"])
        try expectProblem(try desk.app.send("GET", "drawings/\(id)/image?variant=none"), 404, "not-found")

        // Signed addresses load without a header, and each opens its own variant alone.
        let urls = try [drawing["url"], drawing["originalUrl"]].map { url in
            String(try #require(url as? String).dropFirst(Service.publicURL.count))
        }
        #expect(try desk.app.service.send(Request("GET", urls[0])).body == shown.body)
        #expect(try desk.app.service.send(Request("GET", urls[1])).body == page)
        let swapped = [
            urls[0] + "&variant=original", urls[1].replacingOccurrences(of: "&variant=original", with: ""),
        ]
        for url in swapped { try expectProblem(try desk.app.service.send(Request("GET", url)), 404, "not-found") }

        // Gone with the drawing, all of it.
        #expect(try desk.app.send("DELETE", "drawings/\(id)").status == 204)
        #expect(try TestBed.required.query("select count(*) from image where owner_id = \(desk.app.userID)") == ["0"])
        #expect(try TestBed.required.query("select count(*) from scan where owner_id = \(desk.app.userID)") == ["0"])
        #expect(try desk.push(page).text == #"{"received":1,"repeated":0}"#)
        _ = try desk.drawings(1)
    }

    /// What a scanner, or whatever pushes in its place, writes beside the picture.
    @Test("A-09 a page's place is not kept, and the same picture is one page", arguments: [0, 600_000])
    func noPlaceIsKept(_ bytesMin: Int) throws {
        let desk = try ScanDesk(of: Self.person())
        let page = Self.page(bytesMin: bytesMin), place = "N37.5665E126.9780-\(UUID())"
        let secret = Array(place.utf8)
        let extra = [
            JPEGMaker.segment(0xE1, Array("Exif\0\0II*\0".utf8) + secret),
            JPEGMaker.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + secret),
            JPEGMaker.segment(0xFE, secret),
        ]
        let photo = Array(page[..<2]) + extra.flatMap { $0 } + page[2...]
        #expect(try desk.push(photo).text == #"{"received":1,"repeated":0}"#)
        #expect(try desk.push(page).text == #"{"received":0,"repeated":1}"#)
        let id = try #require(try desk.drawings(1).first?["drawingId"] as? Int)
        #expect(try desk.app.send("GET", "drawings/\(id)/image?variant=original").body == page)
        let dump = try TestBed.required.dump()
        #expect(!dump.contains(place) && !dump.contains(secret.map { String($0, radix: 16) }.joined()))
    }

    @Test("the owner's app hears of it") func theOwnersAppHearsOfIt() throws {
        let desk = try ScanDesk(of: Self.person()), other = try Self.person()
        let streams = try [desk.app, other].map { try EventStream($0) }
        #expect(try desk.push(Self.page()).status == 200)
        let created = try #require(try streams[0].next())
        #expect(created.type == "drawing.created")
        let id = try #require(try desk.drawings(1).first?["drawingId"] as? Int)
        #expect(created.data.hasPrefix("{\"drawingId\":\(id),\"type\":\"SCANNED\",\"status\":\"READY\",\"at\":\""))
        let own = try other.makeDrawing()
        #expect(try streams[1].next()?.data.hasPrefix("{\"drawingId\":\(own),") == true)
    }

    /// Sixty pages of one tenant are due before one of another.
    @Test("pages of one tenant keep nobody else's waiting") func oneTenantKeepsNobodyWaiting() throws {
        let bed = try TestBed.required
        let noisy = Tenant(slug: "noisy-scans")
        try bed.administration.add(noisy, bed.issuer)
        let noise = try Self.person(noisy), quiet = try Self.person()
        let page = Self.page().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        func plant(_ app: App, _ numbers: ClosedRange<Int>) -> String {
            """
            insert into image (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, staged_until, bytes)
            select u.tenant_id, u.user_id, sha256(int8send(n)), octet_length(p.page), 'image/jpeg', 640, 800, 0,
                   now() + interval '1 day', p.page
              from app_user u, (select '\\x\(page)'::bytea as page) p, generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n
             where u.user_id = \(app.userID);
            insert into scan (tenant_id, scan_id, owner_id, hash, byte_count, media_type, received_at)
            select i.tenant_id, n, i.owner_id, i.hash, i.byte_count, i.media_type, now()
              from image i join generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n on i.hash = sha256(int8send(n))
             where i.owner_id = \(app.userID);
            insert into work (tenant_id, work_id, kind, subject_id, run_at)
            select tenant_id, scan_id, 'scan', scan_id, now() - interval '1 hour' + scan_id * interval '1 millisecond'
              from scan where owner_id = \(app.userID);
            """
        }
        try bed.query("begin; \(plant(noise, 1...60)) \(plant(quiet, 61...61)) commit")
        defer { _ = try? bed.query("delete from work where kind = 'scan' and subject_id <= 60") }
        let done = "select count(*) from scan where state = 'done' and owner_id = "
        #expect(try waitUntil(.seconds(60)) { try bed.query(done + "\(quiet.userID)") == ["1"] })
        let before = try #require(Int(try bed.query(done + "\(noise.userID)")[0]))
        #expect(before < 20, "\(before) of the other's 60 pages came first")
        // The noisy one gets on too.
        #expect(try waitUntil(.seconds(60)) { try bed.query(done + "\(noise.userID)") != ["\(before)"] })
    }

    @Test("the same page of a person is taken once, another's is another") func pagesAreTakenOnce() throws {
        let desk = try ScanDesk(of: Self.person())
        let other = try ScanDesk(of: Self.person(.south))
        let sibling = try ScanDesk(of: Self.person())
        let page = Self.page()
        #expect(try desk.push(page).text == #"{"received":1,"repeated":0}"#)
        #expect(try desk.push(page, Self.page()).text == #"{"received":1,"repeated":1}"#)
        for one in [other, sibling] { #expect(try one.push(page).text == #"{"received":1,"repeated":0}"#) }
        _ = try sibling.drawings(1)
        let theirs = try #require(try other.drawings(1).first?["drawingId"] as? Int)
        #expect(try desk.push(page).text == #"{"received":0,"repeated":1}"#)
        _ = try desk.drawings(2)
        try expectProblem(try desk.app.send("GET", "drawings/\(theirs)/image?variant=original"), 404, "not-found")
    }

    @Test("each page of a document is drawn, the document kept") func aDocumentIsDrawn() throws {
        let desk = try ScanDesk(of: Self.person())
        let document = ScanDocument.pdf(pages: 3)
        #expect(try desk.push(document).status == 200)
        let drawings = try desk.drawings(3)
        var shown: Set<[UInt8]> = []
        for drawing in drawings {
            let id = try #require(drawing["drawingId"] as? Int)
            #expect(drawing["mediaType"] as? String == "image/jpeg")
            shown.insert(try desk.app.send("GET", "drawings/\(id)/image").body)
            let original = try desk.app.send("GET", "drawings/\(id)/image?variant=original")
            #expect(original.body == document && original["Content-Type"] == "application/pdf")
        }
        #expect(shown.count == 3)
        // One goes; the others keep their original.
        for drawing in drawings.dropLast() {
            #expect(try desk.app.send("DELETE", "drawings/\(try #require(drawing["drawingId"] as? Int))").status == 204)
        }
        let last = try #require(drawings.last?["drawingId"] as? Int)
        #expect(try desk.app.send("GET", "drawings/\(last)/image?variant=original").body == document)
        #expect(try desk.push(document).text == #"{"received":0,"repeated":1}"#)
    }

    @Test("a page that cannot be drawn takes no other with it") func aBrokenPageIsPassedOver() throws {
        let desk = try ScanDesk(of: Self.person())
        // pdftoppm(1) counts those that are there: the last is missing then.
        #expect(try desk.push(ScanDocument.pdf(pages: 3, broken: 1)).status == 200)
        _ = try desk.drawings(2)
        let states = "select state || ' ' || page from scan where owner_id = \(desk.app.userID) order by page"
        let isOver = try waitUntil(.seconds(30)) {
            try TestBed.required.query(states) == ["done 1", "done 2", "failed 3"]
        }
        #expect(isOver)
    }

    @Test("an address that is wrong, another's, rotated or removed is none") func wrongAddressesAreNone() throws {
        let desk = try ScanDesk(of: Self.person())
        let page = Self.page()
        let service = desk.app.service
        let missing = try service.send(ScanDesk.push([page], to: "scan/", of: .north))
        try expectProblem(missing, 404, "not-found")
        var wrong = desk.path
        wrong.removeLast(2)
        for path in [
            "scan", "scan/x", wrong, wrong + "AA", wrong + "AAAAAA", desk.path + "/more", "scan/%00",
            "scan/" + String(repeating: "A", count: 43), "scan/" + String(repeating: "%41", count: 43),
        ] {
            try expectProblem(try service.send(ScanDesk.push([page], to: path, of: .north)), 404, "not-found")
        }
        try expectProblem(try service.send(ScanDesk.push([page], to: desk.path, of: .south)), 404, "not-found")
        let administration = try TestBed.required.administration
        let said = try administration.run("scanner rotate north \(desk.name) -o json")
        try expectProblem(try desk.push(page), 404, "not-found")
        let fresh = try ScanDesk.path(in: said, .north)
        #expect(try service.send(ScanDesk.push([page], to: fresh, of: .north)).status == 200)
        try administration.run("scanner remove north \(desk.name)")
        try expectProblem(try service.send(ScanDesk.push([page], to: fresh, of: .north)), 404, "not-found")
        _ = try desk.drawings(1)
    }

    @Test("a printer that calls itself otherwise is refused and noted") func theSerialIsChecked() throws {
        let desk = try ScanDesk(of: Self.person(), serial: "ABC123")
        try expectProblem(try desk.push(Self.page()), 404, "not-found")
        #expect(try desk.push(Self.page(), serial: "ABC123").status == 200)
        _ = try desk.drawings(1)
        let number = try TestBed.required.query("select scanner_id from scanner where name = '\(desk.name)'")[0]
        #expect(try Self.audit("scan.refuse", "target = 'scanner \(number)'") == ["not-found"])
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let type: String
        let body: [UInt8]
        let status: Int
        let code: String
        var testDescription: String { name }

        init(_ name: String, _ status: Int, _ code: String, type: String = EpsonPush.contentType, _ body: [UInt8]) {
            (self.name, self.status, self.code, self.type, self.body) = (name, status, code, type, body)
        }

        static func push(_ content: [UInt8]) -> [UInt8] {
            EpsonPush(serial: "X", pages: [("a", content)]).body
        }

        static let all = [
            Bad("no form", 415, "unsupported-media-type", type: "image/jpeg", ScanTests.page()),
            Bad("no boundary", 400, "malformed-request", type: "multipart/form-data", push(ScanTests.page())),
            Bad("another boundary", 400, "malformed-request", Array("--x\r\n\r\n--x--".utf8)),
            Bad("cut off", 400, "malformed-request", Array(push(ScanTests.page()).dropLast(5))),
            Bad("nothing in it", 422, "invalid-image", push([])),
            Bad("a text", 422, "invalid-image", push(Array("hello".utf8))),
            Bad("a GIF", 422, "invalid-image", push(Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 100))),
            Bad("half a picture", 422, "invalid-image", push(Array(ScanTests.page().dropLast(900)))),
            Bad("a bomb", 422, "invalid-image", push(Picture.png(width: 30_000, height: 30_000))),
        ]
    }

    @Test("what is no page is refused with a reason, and noted", arguments: Bad.all)
    func whatIsNoPageIsRefused(_ bad: Bad) throws {
        let desk = try ScanDesk(of: Self.person())
        let path = "/north/\(desk.path)"
        let answer = try desk.app.service.send(Request("POST", path, type: bad.type, body: bad.body))
        try expectProblem(answer, bad.status, bad.code)
        let number = try TestBed.required.query("select scanner_id from scanner where name = '\(desk.name)'")[0]
        #expect(try Self.audit("scan.refuse", "target = 'scanner \(number)'") == [bad.code])
        // Again and again: it is noted already.
        for _ in 0..<3 {
            let again = try desk.app.service.send(Request("POST", path, type: bad.type, body: bad.body))
            try expectProblem(again, bad.status, bad.code)
        }
        let noted = try Self.audit("scan.refuse", "target = 'scanner \(number)'").count
        #expect(noted <= 2, "ten minutes may have passed in between, once")
        #expect(try TestBed.required.query("select count(*) from image where owner_id = \(desk.app.userID)") == ["0"])
    }

    @Test("what passes the gate and cannot be drawn fails for good, and may come again") func whatCannotBeDrawn() throws
    {
        let desk = try ScanDesk(of: Self.person())
        let broken = Array("%PDF-1.4\nnothing that is a document \(UUID())".utf8)
        #expect(try desk.push(broken).status == 200)
        let bed = try TestBed.required
        let state = "select state, fault from scan where owner_id = \(desk.app.userID)"
        #expect(try waitUntil(.seconds(60)) { try bed.query(state) == ["failed|unreadable"] })
        #expect(try bed.query("select count(*) from image where owner_id = \(desk.app.userID)") == ["0"])
        #expect(try desk.push(broken).text == #"{"received":1,"repeated":0}"#)
        #expect(try waitUntil(.seconds(60)) { try bed.query(state) == ["failed|unreadable"] })
    }

    @Test("an address for one push takes one, of its drawing's owner and with its title") func aSessionIsForOnePush()
        throws
    {
        let app = try Self.person()
        let other = try Self.person()
        let drawing = try app.makeDrawing()
        try expectProblem(try other.send("POST", "drawings/\(drawing)/scan-session"), 404, "not-found")
        let opened = try app.send("POST", "drawings/\(drawing)/scan-session")
        #expect(opened.status == 201)
        let path = String(try opened.string("url").dropFirst("\(Service.publicURL)/north/".count))
        let pages = [Self.page(), Self.page()]
        let push = ScanDesk.push(pages, to: path, of: .north)
        #expect(try app.service.send(push).text == #"{"received":2,"repeated":0}"#)
        // Who had no answer comes again, and hears what became of it; another push does not come through.
        #expect(try app.service.send(push).text == #"{"received":0,"repeated":2}"#)
        let later = ScanDesk.push([Self.page()], to: path, of: .north)
        try expectProblem(try app.service.send(later), 404, "not-found")
        try TestBed.required.query(
            "update scan_session set used_at = used_at - interval '15 minutes' where owner_id = \(app.userID)"
        )
        try expectProblem(try app.service.send(push), 404, "not-found")
        let desk = try ScanDesk(of: app)
        for scan in try desk.drawings(2) { #expect(scan["sourceId"] as? Int == drawing) }
        let rows = try TestBed.required.query("select distinct source_id from scan where owner_id = \(app.userID)")
        #expect(rows == ["\(drawing)"])
    }
}
