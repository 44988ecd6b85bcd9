import ChilTestSupport
import Foundation
import Testing

@testable import ChilAPI

/// `GET events` against the built service.
@Suite(.testBed(ServiceForm.allCases), .ownThread)
struct EventsTests {
    private static func app(_ form: ServiceForm = .implicitNamed, _ tenant: Tenant = .north) throws -> App {
        let bed = try TestBed.required
        return try App(try bed.service(form), tenant, bed.issuer)
    }

    @Test(arguments: ServiceForm.allCases)
    func whatHappensIsToldAsItHappens(_ form: ServiceForm) throws {
        let app = try Self.app(form), sibling = try Self.app(form), foreign = try Self.app(form, .south)
        let streams = try [app, sibling, foreign].map { try EventStream($0) }
        let stream = streams[0]
        #expect(stream.status == 200)
        for field in ["Content-Type: text/event-stream", "Cache-Control: no-store", "X-Accel-Buffering: no"] {
            #expect(stream.head.contains("\r\n\(field)\r\n") || stream.head.hasSuffix("\r\n\(field)"), "\(stream.head)")
        }
        let drawing = try app.makeDrawing()
        let created = try #require(try stream.next())
        #expect(created.type == "drawing.created")
        #expect(
            created.data.hasPrefix("{\"drawingId\":\(drawing),\"type\":\"UPLOADED\",\"status\":\"READY\",\"at\":\"")
        )
        let seen = try #require(try app.send("GET", "drawings/\(drawing)")["ETag"])
        let patch = app.request("PATCH", "drawings/\(drawing)", json: "{\"title\":\"Cat\"}").adding("If-Match", seen)
        #expect(try app.service.send(patch).status == 200)
        let updated = try #require(try stream.next())
        #expect(updated.type == "drawing.updated")
        #expect(
            updated.data.hasPrefix("{\"drawingId\":\(drawing),\"type\":\"UPLOADED\",\"status\":\"READY\",\"at\":\"")
        )
        #expect(try app.send("DELETE", "drawings/\(drawing)").status == 204)
        let deleted = try #require(try stream.next())
        #expect(deleted.type == "drawing.deleted" && deleted.data.hasPrefix("{\"drawingId\":\(drawing),\"at\":\""))
        #expect(Int(created.id)! < Int(deleted.id)!)
        // Everybody else hears of their own alone.
        for (stream, other) in zip(streams.dropFirst(), [sibling, foreign]) {
            let own = try other.makeDrawing()
            #expect(try stream.next()?.data.hasPrefix("{\"drawingId\":\(own),") == true)
        }
    }

    @Test func aPrintIsFollowed() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "follows")
        try bed.administration.add(tenant, bed.issuer)
        try bed.administration.run("printer add follows --name far --uri ipp://127.0.0.1:1/ipp/print --default")
        let app = try Self.app(.implicitNamed, tenant)
        let stream = try EventStream(app)
        let drawing = try app.makeDrawing()
        #expect(try stream.next()?.type == "drawing.created")
        let answer = try app.service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}"))
        let job = "{\"printJobId\":\(try answer.int("printJobId")),\"drawingId\":\(drawing),\"status\":\"queued\""
        #expect(try stream.next()?.data.hasPrefix("\(job),\"at\"") == true)
        #expect(try stream.next()?.data.hasPrefix("\(job),\"reason\":\"printerUnreachable\",\"at\"") == true)
    }

    @Test func aStreamGoesOnAtAnotherServiceWhereItBroke() throws {
        let bed = try TestBed.required
        let app = try Self.app()
        var first: EventStream? = try EventStream(app)
        let one = try app.makeDrawing()
        let seen = try #require(try first?.next())
        first = nil
        let two = try app.makeDrawing()
        try bed.query("update user_event set event_id = event_id - (60000::bigint << 11) where user_id = \(app.userID)")
        let three = try app.makeDrawing()
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        // A minute passed, by their numbers: the overlap brings the first again.
        let resumed = try EventStream(app, on: service, after: "\(Int(seen.id)! - 60_000 << 11)")
        for drawing in [one, two, three] {
            #expect(try resumed.next()?.data.hasPrefix("{\"drawingId\":\(drawing),") == true)
        }
        // Without the number, and where what came between is not kept any more: what comes, and the last ten seconds.
        let fresh = try EventStream(app, on: service)
        let late = try EventStream(app, on: service, after: "12")
        #expect(try late.next().map { "\($0.type) \($0.data)" } == "reset {}")
        let four = try app.makeDrawing()
        for stream in [fresh, late] {
            var told: [String] = []
            while told.last?.hasPrefix("{\"drawingId\":\(four),") != true {
                told.append(try #require(try stream.next()).data)
            }
            #expect(told.count <= 2, "\(told)")
        }
        #expect(try resumed.next()?.data.hasPrefix("{\"drawingId\":\(four),") == true)
        // Streams of a service that stops end well.
        #expect(try service.stop() == 0)
        #expect(try resumed.next() == nil && fresh.next() == nil && late.next() == nil)
    }

    @Test(arguments: ["logout", "ban", "suspend", "delete"])
    func aStreamEndsWithItsSession(_ way: String) throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "ends-\(way)")
        try bed.administration.add(tenant, bed.issuer)
        let app = try Self.app(.implicitNamed, tenant), bystander = try Self.app()
        let stream = try EventStream(app), other = try EventStream(bystander)
        switch way {
        case "logout": #expect(try app.service.send(app.request("POST", "auth/logout", json: "{}")).status == 204)
        case "ban": try bed.administration.run("user ban \(tenant.slug) \(app.userID)")
        case "suspend": try bed.administration.run("tenant suspend \(tenant.slug)")
        default: #expect(try app.send("DELETE", "me").status == 202)
        }
        #expect(try stream.next() == nil)
        let drawing = try bystander.makeDrawing()
        #expect(try other.next()?.data.hasPrefix("{\"drawingId\":\(drawing),") == true)
    }

    @Test func nobodyListensWithoutASession() throws {
        let app = try Self.app()
        try expectProblem(try app.service.send(Request("GET", "/north/events")), 401, "unauthorized")
        let elsewhere = Request("GET", "/south/events", bearer: app.accessToken)
        try expectProblem(try app.service.send(elsewhere), 401, "unauthorized")
        let head = try app.send("HEAD", "events")
        #expect(head.status == 200 && head["Content-Type"] == "text/event-stream")
        let wrong = try app.service.send(app.request("POST", "events", json: "{}"))
        try expectProblem(wrong, 405, "method-not-allowed")
    }

    @Test func aPersonHasEightStreams() throws {
        let app = try Self.app(), other = try Self.app()
        var streams = try (0..<LivePeople.streamsMax).map { _ in try EventStream(app) }
        #expect(streams.allSatisfy { $0.status == 200 })
        let refused = try app.send("GET", "events")
        try expectProblem(refused, 429, "too-many-listeners")
        #expect(refused["Retry-After"] == "15")
        #expect(try EventStream(other).status == 200)
        // Whoever leaves makes room, long before the next beat.
        streams.removeLast()
        #expect(try waitUntil(.seconds(10)) { try EventStream(app).status == 200 })
    }

    @Test("a proxy that speaks HTTP/1.0 gets a body without chunks")
    func http10() throws {
        let app = try Self.app()
        let socket = try ClientSocket(to: app.service.port)
        let head = "GET /north/events HTTP/1.0\r\nAuthorization: Bearer \(app.accessToken)\r\n\r\n"
        socket.send(Array(head.utf8))
        var text = ""
        while !text.contains("\nid: ") || !text.hasSuffix("\n\n") {
            text += String(decoding: try #require(socket.receive()), as: UTF8.self)
        }
        #expect(text.contains("\r\n\r\nretry: 3000\nid: "))
        #expect(!text.contains("chunked"))
        _ = try app.makeDrawing()
        let more = String(decoding: try #require(socket.receive()), as: UTF8.self)
        #expect(more.contains("event: drawing.created\n"))
    }
}
