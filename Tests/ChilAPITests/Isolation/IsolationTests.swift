import ChilAuth
import ChilStore
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAPI

/// What is another tenant's is not there: not by its number, not by its length, not by the time it takes.
@Suite(.testBed(), .ownThread)
struct IsolationTests {
    /// A person with one of everything that has a number.
    struct Belongings {
        let app: App
        let drawing: Int
        let job: Int
        let receipt: String
        let etag: String
        /// Of the drawing's image, without the origin.
        let signedPath: String
        /// What stands behind the tenant in the address of a scanner.
        let scanPath: String
        /// The same for what Epson's service calls.
        let noticePath: String

        init(_ tenant: Tenant) throws {
            let bed = try TestBed.required
            let service = try bed.service()
            app = try App(service, tenant, bed.issuer)
            drawing = try app.makeDrawing()
            let shown = try app.send("GET", "drawings/\(drawing)")
            signedPath = String(try shown.string("url").dropFirst(Service.publicURL.count))
            etag = try #require(try app.send("GET", "drawings/\(drawing)/image")["ETag"])
            scanPath = try ScanDesk(of: app).path
            let notice = try ScanToken()
            noticePath = "epson/\(notice.text)"
            let digest = notice.digest.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
            try bed.query(
                """
                insert into epson_account (tenant_id, printer_id, client_id, sealed_secret, api_url, auth_url, upload_url, is_private,
                                           notice_digest, created_at, updated_at)
                select p.tenant_id, p.printer_id, 'client', '', '', '', '', true, decode('\(digest)', 'hex'), now(), now()
                  from printer p join tenant t using (tenant_id) where t.slug = '\(tenant.slug)'
                """
            )
            job = try service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}"))
                .int("printJobId")
            let gone = try App(service, tenant, bed.issuer)
            receipt = try gone.send("DELETE", "me").string("receipt")
        }
    }

    private static func printing(_ slug: String) throws -> Tenant {
        let bed = try TestBed.required
        let tenant = Tenant(slug: slug)
        try bed.administration.add(tenant, bed.issuer)
        try bed.administration.run("printer add \(slug) --name far --uri ipp://127.0.0.1:1/ipp/print --default")
        return tenant
    }

    /// A number like it, of nothing.
    private static func unused(_ number: Int) -> Int { number + 7 * 1_024 }

    /// Every route with something's number in its path.
    private static func paths(_ owner: Belongings) throws -> [Route: (foreign: String, missing: String)] {
        let session = Int(try owner.app.sessionID)
        var paths: [Route: (String, String)] = [
            .accountDeletion: ("account-deletions/\(owner.receipt)", "account-deletions/\(try DeletionReceipt().text)"),
            .endSession: ("auth/sessions/\(session)", "auth/sessions/\(unused(session))"),
            .retryPrintJob: ("print-jobs/\(owner.job)/retry", "print-jobs/\(unused(owner.job))/retry"),
        ]
        for route in [Route.printJob, .cancelPrintJob] {
            paths[route] = ("print-jobs/\(owner.job)", "print-jobs/\(unused(owner.job))")
        }
        for route in [Route.drawing, .changeDrawing, .deleteDrawing] {
            paths[route] = ("drawings/\(owner.drawing)", "drawings/\(unused(owner.drawing))")
        }
        paths[.scanSession] = (
            "drawings/\(owner.drawing)/scan-session", "drawings/\(unused(owner.drawing))/scan-session"
        )
        paths[.scan] = (owner.scanPath, "scan/\(try ScanToken().text)")
        paths[.epsonNotice] = (owner.noticePath, "epson/\(try ScanToken().text)")
        paths[.moveDrawing] = ("motion/\(owner.drawing)", "motion/\(unused(owner.drawing))")
        paths[.drawingImage] = ("drawings/\(owner.drawing)/image", "drawings/\(unused(owner.drawing))/image")
        return paths
    }

    /// Of routes that look at the body first.
    private static let bodies: [Route: String] = [
        .changeDrawing: #"{"title":"mine"}"#, .moveDrawing: #"{"motionType":"dance"}"#,
    ]

    @Test("I-01 another tenant's number is answered as one that nobody has: status, fields, length, text")
    func foreignNumbersAreNobodys() throws {
        let owner = try Belongings(Self.printing("owns-a"))
        let other = try Belongings(Self.printing("owns-b")).app
        let paths = try Self.paths(owner)
        for route in Route.allCases {
            let pattern = "\(route.pattern)"
            guard pattern.replacing("{tenant}", with: "").contains("{") else { continue }
            let path = try #require(paths[route], "a route with a number that this test does not know: \(pattern)")
            for method in ["GET", "HEAD", "PUT", "PATCH", "DELETE", "POST", "OPTIONS"] {
                for suffix in ["", "/image", "/more"] {
                    let foreign = try other.send(method, path.foreign + suffix)
                    let missing = try other.send(method, path.missing + suffix)
                    #expect(foreign.unvarying == missing.unvarying, "\(method) \(pattern)\(suffix)")
                    #expect(
                        foreign.status >= 400 || method == "OPTIONS",
                        "\(method) \(pattern)\(suffix): \(foreign.text)"
                    )
                }
            }
            let word = pattern.prefix { $0 != " " }
            let request = Self.bodies[route].map { other.request(String(word), path.foreign, json: $0) }
            let foreign = try other.service.send(
                (request ?? other.request(String(word), path.foreign)).adding("If-Match", "*")
            )
            try expectProblem(foreign, 404, "not-found")
            // The owner's token opens nothing at the other's address, and the other's nothing at the owner's.
            for (tenant, bearer) in [(other.tenant, owner.app.accessToken), (owner.app.tenant, other.accessToken)] {
                let request = Request(String(word), "/\(tenant.slug)/\(path.foreign)", bearer: bearer)
                if [.accountDeletion, .scan, .epsonNotice].contains(route) { continue }
                try expectProblem(try other.service.send(request), 401, "unauthorized")
            }
        }
        #expect(try owner.app.send("GET", "drawings/\(owner.drawing)").status == 200)
        #expect(try owner.app.send("GET", "print-jobs/\(owner.job)").status == 200)
        #expect(try owner.app.status() == 200)
    }

    @Test("I-03 another tenant's entity tag and ranges give no 304, 412 or 206")
    func foreignTagsAreNobodys() throws {
        let owner = try Belongings(Self.printing("tags-a"))
        let other = try App(owner.app.service, .south, try TestBed.required.issuer)
        for path in ["", "/image"] {
            for (name, value) in [
                ("If-None-Match", owner.etag), ("If-None-Match", "*"), ("If-Match", owner.etag), ("Range", "bytes=0-3"),
                ("If-Range", owner.etag),
            ] {
                for method in ["GET", "HEAD", "DELETE"] {
                    let answers = try [owner.drawing, Self.unused(owner.drawing)].map {
                        try other.service.send(other.request(method, "drawings/\($0)\(path)").adding(name, value))
                    }
                    #expect(
                        answers[0].unvarying == answers[1].unvarying,
                        "\(method) \(path) \(name): \(answers[0].text)"
                    )
                    #expect(![200, 206, 304, 412].contains(answers[0].status))
                }
            }
            #expect(try owner.app.send("GET", "drawings/\(owner.drawing)\(path)").status == 200)
        }
        let moved = owner.signedPath.replacing("/tags-a/", with: "/south/")
        let answer = try other.service.send(Request("GET", moved).adding("If-None-Match", owner.etag))
        try expectProblem(answer, 404, "not-found")
    }

    @Test(
        "I-04 what names another tenant's drawing or printer is refused as what names nobody's, and nothing is stored"
    )
    func foreignReferencesAreNobodys() throws {
        let bed = try TestBed.required
        let owner = try Belongings(Self.printing("refers-a"))
        let other = try Belongings(Self.printing("refers-b"))
        let printer = try owner.app.send("GET", "print-jobs/\(owner.job)").int("printerId")
        // The job that is there is tried on: its history grows.
        let count = """
            select t.slug, (select count(*) from print_job j where j.tenant_id = t.tenant_id),
                   (select count(*) from work w where w.tenant_id = t.tenant_id)
              from tenant t where t.slug like 'refers-_' order by 1
            """
        let before = try bed.query(count)
        func send(_ json: String) throws -> Answer {
            try other.app.service.send(other.app.request("POST", "drawings/print", json: json))
        }
        let drawings = try [owner.drawing, Self.unused(owner.drawing)].map { try send("{\"drawingId\":\($0)}") }
        try expectProblem(drawings[0], 404, "not-found")
        #expect(drawings[0].unvarying == drawings[1].unvarying)
        let printers = try [printer, Self.unused(printer)].map {
            try send("{\"drawingId\":\(other.drawing),\"printerId\":\($0)}")
        }
        try expectProblem(printers[0], 422, "no-printer")
        #expect(printers[0].unvarying == printers[1].unvarying)
        #expect(try bed.query(count) == before)
    }

    @Test("I-05 the same person, address, name and picture in two tenants")
    func whatIsUniqueIsSoWithinATenant() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let subject = Planted.subject()
        let picture = Picture.png()
        var apps: [App] = []
        for tenant in [Tenant.north, .south] {
            let nonce = try App.nonce(service, tenant)
            var token = IdentityToken(bed.issuer, tenant, subject: subject, nonce: nonce)
            token.claims["email"] = "\"same@example.com\""
            let answer = try service.send(App.signIn(tenant, token.signed(bed.issuer.es256), nonce))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.members["isNewUser"] as? Bool == true)
            apps.append(try App(service, tenant, answer))
        }
        #expect(apps[0].userID != apps[1].userID)
        let made = try apps.map { try service.send($0.upload(picture)) }
        #expect(made.map(\.status) == [201, 201])
        // The same bytes have the same tag, and are two images.
        let images = try zip(apps, made).map { try $0.send("GET", "drawings/\($1.int("drawingId"))/image") }
        #expect(images[0]["ETag"] == images[1]["ETag"] && images[0].body == images[1].body)
        #expect(try apps[0].send("DELETE", "drawings/\(made[0].int("drawingId"))").status == 204)
        let kept = try apps[1].send("GET", "drawings/\(made[1].int("drawingId"))/image")
        #expect(kept.status == 200 && kept.body == picture)
    }

    @Test("I-06 lists show one's own, and a cursor leads on in its own list alone")
    func listsAndCursorsAreOnesOwn() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let apps = try [Tenant.north, .south].map { try App(service, $0, bed.issuer) }
        let drawings = try apps.map { app in try (0..<3).map { _ in try app.makeDrawing() } }
        let pages = try apps.map { try $0.send("GET", "drawings?limit=2") }
        for (index, app) in apps.enumerated() {
            for query in ["limit=200", "limit=200&type=UPLOADED", "page=1", "page=2&limit=2"] {
                let shown = try app.send("GET", "drawings?\(query)").array("data").compactMap {
                    $0["drawingId"] as? Int
                }
                #expect(!shown.isEmpty && Set(shown).isSubset(of: drawings[index]), "\(query): \(shown)")
            }
            let foreign = try pages[1 - index].string("nextCursor")
            let made = try app.send("GET", "drawings?limit=2&cursor=\(foreign)")
            #expect(made.status == 400 || made.status == 422, "\(made.text)")
            #expect(!made.text.contains("drawingId"))
            #expect(try app.send("GET", "drawings?limit=2&cursor=\(pages[index].string("nextCursor"))").status == 200)
        }
    }

    @Test("I-12 equal entity tags and equal print jobs of two tenants are independent")
    func equalKeysAreIndependent() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let tenants = try ["equal-a", "equal-b"].map(Self.printing)
        let picture = Picture.png()
        let apps = try tenants.map { try App(service, $0, bed.issuer) }
        let drawings = try apps.map { try service.send($0.upload(picture)).int("drawingId") }
        let tag = try #require(try apps[0].send("GET", "drawings/\(drawings[0])/image")["ETag"])
        for (index, app) in apps.enumerated() {
            let own = app.request("GET", "drawings/\(drawings[index])/image").adding("If-None-Match", tag)
            #expect(try service.send(own).status == 304)
            let foreign = app.request("GET", "drawings/\(drawings[1 - index])/image").adding("If-None-Match", tag)
            try expectProblem(try service.send(foreign), 404, "not-found")
        }
        let jobs = try zip(apps, drawings).map { app, drawing in
            try service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}")).int(
                "printJobId"
            )
        }
        try bed.administration.run("tenant suspend equal-a")
        defer { _ = try? bed.administration.run("tenant resume equal-a") }
        #expect(try waitUntil(Promise.news) { try apps[0].status() == 403 })
        #expect(try apps[1].send("GET", "print-jobs/\(jobs[1])").status == 200)
        #expect(try apps[1].send("GET", "drawings/\(drawings[1])/image").body == picture)
    }
}
