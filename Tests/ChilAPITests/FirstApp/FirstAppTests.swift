import ChilDevIssuer
import ChilDevMotion
import ChilTestSupport
import Foundation
import Testing

/// The first app works by changing its host only.
@Suite(.testBed([.implicitNamed, .explicitUnnamed]), .ownThread)
struct FirstAppTests {
    private func guestTenant(_ slug: String) throws -> GuestTenant {
        try GuestTenant(try TestBed.required, "\(slug)-\(UInt32.random(in: 0...UInt32.max))")
    }

    /// Bodies of refusals, whatever they say: the app takes these members for a result.
    private func expectNoResult(_ answer: Answer, at location: SourceLocation = #_sourceLocation) throws {
        #expect(answer.status >= 400, "\(answer.text)", sourceLocation: location)
        let members = try answer.members
        #expect(members["url"] == nil && members["drawingId"] == nil, "\(answer.text)", sourceLocation: location)
    }

    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func itListsLoadsAndPrints(_ form: ServiceForm) throws {
        let bed = try TestBed.required
        let guests = try guestTenant("plays")
        try bed.administration.run(
            "printer add \(guests.tenant.slug) --name p --uri ipp://127.0.0.1:1/ipp/print --default"
        )
        let app = try guests.app(form)
        #expect(try app.gallery("GENERATED", page: 1).isEmpty)
        let picture = Picture.png()
        let ids = try [guests.makeDrawing(picture), guests.makeDrawing(), guests.makeDrawing(as: "SCANNED")]

        let list = try app.send("GET", "drawings?page=1&type=GENERATED")
        #expect(list.status == 200 && list["Content-Type"] == "application/json")
        #expect(try list.string("type") == "GENERATED")
        // Newest first, and of the asked type alone.
        #expect(try app.gallery("GENERATED", page: 1).map(\.drawingID) == [ids[1], ids[0]])
        #expect(try app.gallery("SCANNED", page: 1).map(\.drawingID) == [ids[2]])
        #expect(try list.array("data").allSatisfy { $0["prompt"] as? String == "달 위의 고양이" })
        let past = try app.send("GET", "drawings?page=2&type=GENERATED")
        #expect(past.status == 200)
        #expect(try past.array("data").isEmpty)

        let image = try app.load(try #require(app.gallery("GENERATED", page: 1).last).url)
        #expect(image.status == 200 && image["Content-Type"] == "image/png")
        #expect(image.body.count > 60)

        for scale in [nil, "LARGE", "MEDIUM", "SMALL"] {
            #expect(try app.prints(ids[0], scale: scale).status == 200)
        }
        let jobs = try bed.query(
            "select scale from print_job j join tenant t using (tenant_id) where t.slug = '\(guests.tenant.slug)' order by job_id"
        )
        #expect(jobs == ["LARGE", "LARGE", "MEDIUM", "SMALL"])
    }

    @Test func itSignsInWithACode() throws {
        let bed = try TestBed.required
        let tenant = try CodeTenant(in: bed)
        try bed.administration.run("tenant update \(tenant.tenant.slug) --guest on")
        let app = FirstApp(service: try bed.service(), slug: tenant.tenant.slug)
        let answer = try app.send("POST", "auth/oauth2/token", json: "{\"code\":\"\(try tenant.authorize().code)\"}")
        #expect(answer.status == 200)
        #expect(try answer.string("grantType") == "Bearer")
        #expect(try !answer.string("token").isEmpty && answer.int("expiresIn") > 0)
        let bad = try app.send("POST", "auth/oauth2/token", json: "{\"code\":\"no code\"}")
        #expect((400..<500).contains(bad.status))
        try expectNoResult(bad)
    }

    /// The wish is drawn within the answer, however long it takes for those who are signed in.
    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func itWishes(_ form: ServiceForm) throws {
        let guests = try guestTenant("wishes")
        let app = try guests.app(form)
        let wish = #"{"prompt":"달 위의 고양이"}"#
        // Nobody has said who draws.
        try expectNoResult(try app.send("POST", "drawings/gen", json: wish))
        try guests.bed.administration.run("generator add \(guests.tenant.slug) --kind sketchbook")
        let answer = try app.send("POST", "drawings/gen", json: wish)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(Set(try answer.members.keys) == ["drawingId", "url", "prompt"])
        #expect(try answer.string("prompt") == "달 위의 고양이")
        let image = try app.load(try answer.string("url"))
        #expect(image.status == 200 && image["Content-Type"] == "image/png")
        #expect(try app.gallery("GENERATED", page: 1).map(\.drawingID) == [answer.int("drawingId")])
        for body in ["{}", #"{"prompt":""}"#, #"{"prompt":1}"#, "{"] {
            try expectNoResult(try app.send("POST", "drawings/gen", json: body))
        }
        let form = Request("POST", "/\(guests.tenant.slug)/drawings/gen", type: "text/plain", body: Array(wish.utf8))
        try expectProblem(try app.service.send(form), 415, "unsupported-media-type")
        try expectProblem(
            try app.service.send(Request("POST", "/north/drawings/gen", json: wish)),
            401,
            "unauthorized"
        )
    }

    /// All that a child does with it, on one device: wish, look, print, move, look again.
    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func itPlaysTheWholeStory(_ form: ServiceForm) throws {
        let guests = try guestTenant("story"), slug = guests.tenant.slug
        let motion = try MotionSimulatorServer(MotionSimulator())
        defer { motion.stop() }
        for line in [
            "generator add \(slug) --kind sketchbook",
            "printer add \(slug) --name p --uri ipp://127.0.0.1:1/ipp/print --default",
            "motion add \(slug) --url \(motion.origin) --allow-private \(motion.authority)",
        ] {
            try guests.bed.administration.run(line)
        }
        let app = try guests.app(form)
        let wish = try app.send("POST", "drawings/gen", json: #"{"prompt":"무지개 아래에서 춤추는 고양이"}"#)
        #expect(wish.status == 201, "\(wish.text)")
        let drawing = try wish.int("drawingId")
        #expect(try app.load(wish.string("url")).status == 200)
        #expect(try app.prints(drawing).status == 200)

        let moved = try app.send("POST", "motion/\(drawing)", json: #"{"motionType":"DANCE"}"#)
        #expect(moved.status == 201, "\(moved.text)")
        #expect(Set(try moved.members.keys) == ["drawingId", "url"])
        let gif = try app.load(try moved.string("url"))
        #expect(gif.status == 200 && gif["Content-Type"] == "image/gif" && gif.body.starts(with: Array("GIF89a".utf8)))
        #expect(try app.gallery("ANIMATED", page: 1).map(\.drawingID) == [moved.int("drawingId")])
        #expect(try app.gallery("GENERATED", page: 1).map(\.drawingID) == [drawing])

        // It takes anything that has the members for a result.
        motion.simulator.misbehave(.gifNotFound)
        for (path, body) in [
            ("motion/\(drawing)", #"{"motionType":"dance"}"#), ("motion/\(drawing)", #"{"motionType":"fly"}"#),
            ("motion/1", #"{"motionType":"dance"}"#), ("motion/x", "{}"),
        ] {
            try expectNoResult(try app.send("POST", path, json: body))
        }
    }

    @Test func thePageHasTwoHundred() throws {
        let bed = try TestBed.required
        let guests = try guestTenant("pages")
        let first = try guests.makeDrawing()
        try bed.query(
            """
            insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status,
                                 media_type, image_hash)
            select tenant_id, drawing_id + n, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type,
                   image_hash
              from drawing, generate_series(1, 229) n where drawing_id = \(first)
            """
        )
        let app = try guests.app()
        let pages = try (1...3).map { try app.gallery("GENERATED", page: $0).map(\.drawingID) }
        #expect(pages.map(\.count) == [200, 30, 0])
        #expect(pages.flatMap { $0 } == (first...first + 229).reversed())
        for page in ["0", "-1", "x", ""] {
            let answer = try app.send("GET", "drawings?page=\(page)&type=GENERATED")
            try expectProblem(answer, 422, "invalid-fields", pointer: "/page")
        }
        let kind = try app.send("GET", "drawings?page=1&type=DOODLE")
        try expectProblem(kind, 422, "invalid-fields", pointer: "/type")
        #expect(try app.send("GET", "drawings?type=GENERATED").array("data").count == 200)
        // Somebody signed in has pages of 50.
        let ann = try App(try bed.service(), guests.tenant, bed.issuer)
        #expect(try ann.send("GET", "drawings?page=1").array("data").isEmpty)
    }

    /// Guests have these routes and no other; and nothing of anybody's.
    @Test(arguments: RefusalTests.Bearers.routes)
    func nothingElseIsServed(_ method: String, _ path: String) throws {
        let guests = try guestTenant("else")
        let service = try guests.app().service
        let answer = try service.send(Request(method, "/\(guests.tenant.slug)/\(path)"))
        switch (method, path) {
        case ("GET", "drawings"): #expect(answer.status == 200)
        // A web page can send forms and plain text anywhere; JSON it cannot.
        case ("POST", "drawings/print"): try expectProblem(answer, 415, "unsupported-media-type")
        default: try expectProblem(answer, 401, "unauthorized")
        }
        for value in ["", "Bearer", "Bearer garbage", "Basic Zm9vOmJhcg=="] {
            let request = Request(method, "/\(guests.tenant.slug)/\(path)").adding("Authorization", value)
            try expectProblem(try service.send(request), 401, "unauthorized")
        }
        // Without a guest, and with one no more.
        try expectProblem(try service.send(Request(method, "/north/\(path)")), 401, "unauthorized")
        try guests.bed.administration.run("tenant update \(guests.tenant.slug) --guest off")
        let isOver = try waitUntil(.seconds(5)) {
            try service.send(Request(method, "/\(guests.tenant.slug)/\(path)")).status == 401
        }
        #expect(isOver)
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
    func noWebPagePrints(_ type: String) throws {
        let guests = try guestTenant("forms")
        let drawing = try guests.makeDrawing()
        let body = Array("{\"drawingId\":\(drawing)}".utf8)
        let request = Request("POST", "/\(guests.tenant.slug)/drawings/print", type: type, body: body)
        try expectProblem(try guests.app().service.send(request), 415, "unsupported-media-type")
    }

    @Test func refusalsAreNoResults() throws {
        let guests = try guestTenant("refused"), others = try guestTenant("others")
        let app = try guests.app()
        let (mine, foreign) = (try guests.makeDrawing(), try others.makeDrawing())
        try expectProblem(try app.prints(mine), 422, "no-printer")
        try guests.bed.administration.run(
            "printer add \(guests.tenant.slug) --name p --uri ipp://127.0.0.1:1/ipp/print --default"
        )
        // Another tenant's, a signed-in person's, and none at all look the same.
        let ann = try App(app.service, guests.tenant, guests.bed.issuer)
        let missing = try [foreign, ann.makeDrawing(), 1].map { try app.prints($0) }
        #expect(Set(missing.map { $0.unvarying }).count == 1)
        for answer in missing {
            try expectProblem(answer, 404, "not-found")
            try expectNoResult(answer)
        }
        try expectNoResult(try app.prints(mine, scale: "HUGE"))
        for body in ["", "{", "[]", "{\"drawingId\":\"1\"}", "{\"drawingId\":1,\"url\":\"x\"}"] {
            try expectNoResult(try app.send("POST", "drawings/print", json: body))
        }
        let short = app.request("POST", "drawings/print", json: "{\"drawingId\":\(mine)}")
            .adding("Idempotency-Key", "guess")
        try expectProblem(try app.service.send(short), 400, "invalid-idempotency-key")
        let key = app.request("POST", "drawings/print", json: "{\"drawingId\":\(mine)}")
            .adding("Idempotency-Key", UUID().uuidString)
        let (first, again) = (try app.service.send(key), try app.service.send(key))
        #expect(first.status == 200)
        #expect(try first.int("printJobId") == again.int("printJobId"))
    }

    /// So many for an address in a day; refused ones and repeated ones count for nothing, other tenants have their own.
    @Test func printsOfAnAddressAreCapped() throws {
        let guests = try guestTenant("capped"), others = try guestTenant("free")
        for tenant in [guests, others] {
            try tenant.bed.administration.run(
                "printer add \(tenant.tenant.slug) --name p --uri ipp://127.0.0.1:1/ipp/print --default"
            )
        }
        try guests.bed.administration.run("tenant update \(guests.tenant.slug) --guest-prints 3")
        // Loops keep what they have given back: with one, all of it is there for the next.
        let service = try guests.bed.start(["CHIL_LOOPS": "1"])
        let app = FirstApp(service: service, slug: guests.tenant.slug)
        let drawing = try guests.makeDrawing()
        for _ in 0..<5 { try expectProblem(try app.prints(1), 404, "not-found") }
        let request = app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}")
            .adding("Idempotency-Key", UUID().uuidString)
        for _ in 0..<4 { #expect(try app.service.send(request).status == 200) }
        for _ in 0..<2 { #expect(try app.prints(drawing).status == 200) }
        let refused = try app.prints(drawing)
        try expectProblem(refused, 429, "rate-limited")
        try expectNoResult(refused)
        #expect(refused["RateLimit-Policy"] == #""guest-print-address";q=3;w=86400"#)
        #expect((Int(refused["Retry-After"] ?? "") ?? 0) > 86_400 / 4)
        #expect(try others.app().prints(try others.makeDrawing()).status == 200)
        // Whoever is signed in is not capped.
        let ann = try App(app.service, guests.tenant, guests.bed.issuer)
        let own = ann.request("POST", "drawings/print", json: "{\"drawingId\":\(try ann.makeDrawing())}")
        #expect(try ann.service.send(own).status == 200)
        #expect(try service.stop() == 0)
    }

    /// Off and on again: the same guest. Erased in between: another, who has nothing.
    @Test func theGuestComesBack() throws {
        let bed = try TestBed.required
        let guests = try guestTenant("back")
        let slug = guests.tenant.slug
        let drawing = try guests.makeDrawing()
        func guest() throws -> String {
            try #require(try bed.query("select guest_user_id from tenant where slug = '\(slug)'").first)
        }
        let first = try guest()
        #expect(throws: (any Error).self) {
            try bed.administration.run("user delete \(slug) \(first) --confirm=\(slug)")
        }
        try bed.administration.run("tenant update \(slug) --guest off")
        let said = try bed.administration.run("tenant update \(slug) --guest on")
        #expect(said.contains("every device without a token sees and prints the same drawings"))
        let app = try guests.app()
        #expect(try waitUntil(.seconds(5)) { try app.gallery("GENERATED", page: 1).map(\.drawingID) == [drawing] })
        try bed.administration.run("tenant update \(slug) --guest off")
        try bed.administration.run("user delete \(slug) \(first) --confirm=\(slug)")
        try bed.administration.run("tenant update \(slug) --guest on")
        #expect(try guest() != first)
        let isNew = try waitUntil(.seconds(5)) {
            let answer = try app.send("GET", "drawings?page=1&type=GENERATED")
            return try answer.status == 200 && answer.array("data").isEmpty
        }
        #expect(isNew)
    }
}
