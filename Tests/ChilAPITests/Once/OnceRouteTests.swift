import ChilCore
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// Requests that are sent again with their key.
@Suite(.testBed(), .ownThread)
struct OnceRouteTests {
    private func app(_ tenant: Tenant = .north) throws -> App {
        let bed = try TestBed.required
        return try App(try bed.service(), tenant, bed.issuer)
    }

    private func sendByAll(_ request: Request, crowd: Int) throws -> [Answer] {
        let port = try TestBed.required.service().port
        let connections = try (0..<crowd).map { _ in try Connection(to: port) }
        return try inParallel(crowd) { try connections[$0].send(request) }
    }

    private func drawings(of app: App) throws -> Int { try app.send("GET", "drawings").array("data").count }

    private static func key() -> String { "\"\(UUID())\"" }

    @Test("A-10 fifty equal uploads at once with one key: one drawing, equal answers", arguments: [false, true])
    func fiftyUploadsAreOne(_ isLarge: Bool) throws {
        let app = try app()
        let request =
            (isLarge ? app.upload(Picture.jpeg(bytesMin: 300_000), type: "image/jpeg") : app.upload(Picture.png()))
            .adding("Idempotency-Key", Self.key())
        var answers = try sendByAll(request, crowd: 50)
        // One that is still running is told so; it asks again, as an app would.
        for index in answers.indices where answers[index].status == 409 {
            try expectProblem(answers[index], 409, "idempotency-key-running")
            #expect(answers[index]["Retry-After"] == "1")
            _ = try waitUntil(.seconds(10)) {
                answers[index] = try app.service.send(request)
                return answers[index].status != 409
            }
        }
        #expect(Set(answers.map(\.status)) == [201])
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(Set(answers.compactMap { $0["Location"] }).count == 1)
        #expect(try drawings(of: app) == 1)
    }

    /// Its address is kept as a digest alone, and is said again all the same.
    @Test func aScanSessionIsOpenedOnce() throws {
        let app = try app(), other = try self.app(.south)
        let drawings = [try app.makeDrawing(), try app.makeDrawing()], theirs = try other.makeDrawing()
        func request(_ app: App, _ drawing: Int, _ key: String) -> Request {
            app.request("POST", "drawings/\(drawing)/scan-session").adding("Idempotency-Key", key)
        }
        let key = Self.key()
        let answers = try sendByAll(request(app, drawings[0], key), crowd: 8)
        #expect(Set(answers.map(\.status)) == [201])
        #expect(Set(answers.map(\.text)).count == 1)
        let url = try answers[0].string("url")
        try expectProblem(
            try app.service.send(request(app, drawings[1], key)),
            422,
            "idempotency-key-reused"
        )
        try expectProblem(
            try app.service.send(request(app, drawings[0], "\"\"")),
            400,
            "invalid-idempotency-key"
        )
        let others = [
            try app.service.send(request(app, drawings[0], Self.key())),
            try app.send("POST", "drawings/\(drawings[0])/scan-session"),
            try other.service.send(request(other, theirs, key)),
        ]
        #expect(others.map(\.status) == [201, 201, 201])
        #expect(try Set(others.map { try $0.string("url") } + [url]).count == 4)
    }

    @Test("A-10 fifty equal prints at once with one key: one job")
    func fiftyPrintsAreOne() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "once-print")
        try bed.administration.add(tenant, bed.issuer)
        let app = try app(tenant)
        let drawing = try app.makeDrawing()
        func request(_ json: String, _ key: String) -> Request {
            app.request("POST", "drawings/print", json: json).adding("Idempotency-Key", key)
        }
        let key = Self.key(), json = "{\"drawingId\":\(drawing),\"copies\":2}"
        // What is refused is not remembered: mended, the same request goes through.
        try expectProblem(try app.service.send(request(json, key)), 422, "no-printer")
        try bed.administration.run("printer add \(tenant.slug) --name far --uri ipp://127.0.0.1:1/ipp/print --default")
        var answers = try sendByAll(request(json, key), crowd: 50)
        // The same in another order, with what is the default anyway.
        answers.append(
            try app.service.send(request("{\"scale\":\"LARGE\",\"copies\":2,\"drawingId\":\(drawing)}", key))
        )
        #expect(Set(answers.map(\.status)) == [200])
        #expect(Set(try answers.map { try $0.int("printJobId") }).count == 1)
        #expect(Set(try answers.map { Set(try $0.members.keys) }) == [["printJobId", "status"]])
        let count = "select count(*) from print_job where owner_id = \(app.userID)"
        #expect(try bed.query(count) == ["1"])
        for other in ["{\"drawingId\":\(drawing)}", "{\"drawingId\":\(drawing),\"copies\":2,\"scale\":\"SMALL\"}"] {
            try expectProblem(try app.service.send(request(other, key)), 422, "idempotency-key-reused")
        }
        #expect(try bed.query(count) == ["1"])
        // Without a key, and with another, each is one of its own.
        #expect(try app.service.send(app.request("POST", "drawings/print", json: json)).status == 200)
        #expect(try app.service.send(request(json, Self.key())).status == 200)
        #expect(try bed.query(count) == ["3"])
    }

    @Test("A-10 the same key for another picture is refused, and without a key each upload is new")
    func anotherBodyIsRefused() throws {
        let app = try app(), key = Self.key(), png = Picture.png()
        let first = try app.service.send(app.upload(png).adding("Idempotency-Key", key))
        #expect(first.status == 201)
        try expectProblem(
            try app.service.send(app.upload(Picture.png()).adding("Idempotency-Key", key)),
            422,
            "idempotency-key-reused"
        )
        let large = app.upload(Picture.jpeg(bytesMin: 300_000), type: "image/jpeg").adding("Idempotency-Key", key)
        try expectProblem(try app.service.send(large), 422, "idempotency-key-reused")
        // The same key as a bare word; the same picture in a form, by two boundaries; with a title it is something else.
        let bare = try app.service.send(app.upload(png).adding("Idempotency-Key", key.replacing("\"", with: "")))
        #expect(bare.status == 201 && bare.text == first.text)
        func form(_ boundary: String, _ title: String? = nil) -> Request {
            let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n\r\n"
            let more = title.map {
                "\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n\($0)"
            }
            let body = Array(head.utf8) + png + Array("\(more ?? "")\r\n--\(boundary)--\r\n".utf8)
            return app.upload(body, type: "multipart/form-data; boundary=\(boundary)").adding("Idempotency-Key", key)
        }
        for boundary in ["one", "two"] { #expect(try app.service.send(form(boundary)).text == first.text) }
        try expectProblem(try app.service.send(form("three", "cat")), 422, "idempotency-key-reused")
        #expect(try drawings(of: app) == 1)
        for _ in 0..<2 { #expect(try app.service.send(app.upload(png)).status == 201) }
        #expect(try drawings(of: app) == 3)
    }

    @Test("I-12 equal keys of two people and of two tenants are four requests")
    func keysAreEachPersonsOwn() throws {
        let apps = [try app(.north), try app(.north), try app(.south), try app(.south)]
        let key = Self.key(), png = Picture.png()
        let ids = try apps.map { try $0.service.send($0.upload(png).adding("Idempotency-Key", key)).int("drawingId") }
        #expect(Set(ids).count == 4)
        for app in apps { #expect(try drawings(of: app) == 1) }
    }

    @Test(arguments: IdempotencyKeyTests.hostile)
    func aHostileKeyMakesNothing(_ value: [UInt8]) throws {
        let app = try app()
        var bytes = app.upload(Picture.png()).bytes
        let field = Array("Idempotency-Key: ".utf8) + value + [13, 10]
        let end = try #require(bytes.firstIndex(of: 10))
        bytes.insert(contentsOf: field, at: end + 1)
        let connection = try Connection(to: app.service.port)
        connection.write(bytes)
        let answer = try connection.receive()
        #expect(answer.status == 400, "\(answer.text)")
        #expect(["invalid-idempotency-key", "malformed-request"].contains(try answer.string("code")))
        #expect(try drawings(of: app) == 0)
    }

    @Test func twoKeysAreNone() throws {
        let app = try app()
        let request = app.upload(Picture.png()).adding("Idempotency-Key", "\"a\"").adding("Idempotency-Key", "\"a\"")
        #expect(try app.service.send(request).status == 400)
        #expect(try drawings(of: app) == 0)
    }

    /// Signing in is never answered from a record.
    @Test func signingInTakesNoKey() throws {
        let service = try TestBed.required.service(), key = Self.key()
        let nonces = try (0..<2).map { _ in
            try service.send(Request("POST", "/north/auth/nonce").adding("Idempotency-Key", key)).string("nonce")
        }
        #expect(Set(nonces).count == 2)
        #expect(try service.send(Request("POST", "/north/auth/nonce").adding("Idempotency-Key", "a, b")).status == 201)
    }

    @Test func whatWasDeletedSinceIsNotMadeAgain() throws {
        let app = try app()
        let request = app.upload(Picture.png()).adding("Idempotency-Key", Self.key())
        let id = try app.service.send(request).int("drawingId")
        #expect(try app.send("DELETE", "drawings/\(id)").status == 204)
        try expectProblem(try app.service.send(request), 404, "not-found")
        #expect(try drawings(of: app) == 0)
    }

    @Test func recordsSayNothingAndGoWithThePerson() throws {
        let bed = try TestBed.required
        let app = try app(), key = "planted-key-\(UUID())"
        #expect(try app.service.send(app.upload(Picture.png()).adding("Idempotency-Key", key)).status == 201)
        let count = "select count(*) from idempotency where user_id = \(app.userID)"
        #expect(try bed.query(count) == ["1"])
        #expect(try !bed.dump().contains("planted-key-"))
        #expect(try app.send("DELETE", "me").status == 202)
        #expect(try bed.query(count) == ["0"])
    }

    @Test("A-10 after a day the key is new")
    func aDayLater() async throws {
        let bed = try TestBed.required
        let start = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        let png = Picture.png(), key = Self.key()
        try await StillService.with(bed, at: start) { service in
            var session = try service.signIn(.north, bed.issuer, subject: Planted.subject())
            func upload(at moment: Timestamp) throws -> Answer {
                service.move(to: moment)
                session = try service.send(App.refresh(.north, try session.string("refreshToken")))
                let request = Request(
                    "POST",
                    "/north/drawings",
                    bearer: try session.string("accessToken"),
                    type: "image/png",
                    body: png
                )
                return try service.send(request.adding("Idempotency-Key", key))
            }
            let first = try upload(at: start)
            #expect(first.status == 201)
            let again = try upload(at: start + .seconds(86_399))
            #expect(try again.int("drawingId") == first.int("drawingId"))
            let next = try upload(at: start + .seconds(86_401))
            #expect(next.status == 201)
            #expect(try next.int("drawingId") != first.int("drawingId"))
        }
    }
}
