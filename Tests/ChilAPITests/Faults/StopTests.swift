import ChilTestSupport
import Foundation
import Testing

/// The end of the process, and its beginning.
@Suite(.testBed([]), .ownThread)
struct StopTests {
    private func start(_ settings: [String: String] = [:]) throws -> Service {
        let bed = try TestBed.required
        let log = bed.folder.appendingPathComponent("chilapi-\(UUID()).log")
        return try Service(bed.settings.merging(["CHIL_LOOPS": "2"]) { $1 }.merging(settings) { $1 }, log: log)
    }

    /// SIGTERM under load: what was sent on an open connection is answered, and what was acknowledged is there.
    @Test(arguments: [SIGTERM, SIGINT])
    func aStopLosesNoRequest(_ signal: Int32) throws {
        let bed = try TestBed.required
        let service = try start()
        defer { service.program.signal(SIGKILL) }
        let app = try App(service, .north, bed.issuer)
        let load = Load(app, clients: 12, endsWithConnection: true)
        try #require(waitUntil(.seconds(20)) { load.made > 20 })
        service.program.signal(signal)
        let status = try service.program.wait(atMost: .seconds(15))
        let events = load.stop()
        #expect(status == 0, "\(service.program.text)")
        #expect(service.program.text.contains("\"stopped\""))
        let lost = events.filter { if case .lost = $0.outcome { true } else { false } }
        #expect(lost.isEmpty, "\(lost.count) of \(events.count) requests were lost")
        let statuses = Set(events.compactMap { $0.answer?.status })
        #expect(statuses.isSubset(of: [200, 201]), "\(statuses)")
        // Each connection was closed in order: with the answer to its last request.
        #expect(events.count { $0.answer?["Connection"] == "close" } == 12)

        let next = try start()
        defer { next.program.signal(SIGKILL) }
        let later = App(moving: app, to: next)
        let made = try events.compactMap { $0.answer }.filter { $0.status == 201 }.map { try $0.int("drawingId") }
        for id in made { #expect(try later.send("GET", "drawings/\(id)").status == 200) }
        #expect(try next.stop() == 0)
    }

    /// An idle connection and a half-sent head do not hold the stop up.
    @Test func idleConnectionsDoNotHoldTheStopUp() throws {
        let service = try start()
        defer { service.program.signal(SIGKILL) }
        let idle = try Connection(to: service.port)
        #expect(try idle.send(Request("GET", "/healthz")).status == 200)
        let half = try Connection(to: service.port)
        half.write(Array("GET /healthz HTTP/1.1\r\nHost:".utf8))
        let begun = ContinuousClock.now
        #expect(try service.stop() == 0)
        #expect(ContinuousClock.now - begun < Duration.seconds(4).patient)
        #expect(idle.isClosedByPeer())
    }

    /// A body that is still on its way when the service stops is read to its end and answered.
    @Test func anUploadThatRunsIsFinished() throws {
        let service = try start()
        defer { service.program.signal(SIGKILL) }
        let app = try App(service, .north, try TestBed.required.issuer)
        let connection = try Connection(to: service.port)
        let idle = try Connection(to: service.port)
        #expect(try idle.send(Request("GET", "/healthz")).status == 200)
        let image = Picture.jpeg(bytesMin: 400_000)
        let upload = app.upload(image, type: "image/jpeg").adding("Expect", "100-continue").bytes
        // The service asks for the body: the request has begun.
        connection.write(Array(upload.dropLast(image.count)))
        #expect(try connection.receive().status == 100)
        connection.write(Array(image[..<200_000]))
        service.program.signal(SIGTERM)
        // It stops: an idle connection is closed.
        #expect(idle.isClosedByPeer())
        #expect(service.program.isRunning)
        connection.write(Array(image[200_000...]))
        let answer = try connection.receive()
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer["Connection"] == "close")
        #expect(try service.program.wait(atMost: .seconds(10)) == 0)
    }

    /// What was signed in on one service is signed in on another, and its end is heard there.
    @Test func aSessionIsKnownToEveryService() throws {
        let first = try start(), second = try start()
        defer { for service in [first, second] { service.program.signal(SIGKILL) } }
        let app = try App(first, .north, try TestBed.required.issuer)
        let there = App(moving: app, to: second)
        #expect(try there.send("GET", "me").status == 200)
        let id = try app.makeDrawing()
        #expect(try there.send("GET", "drawings/\(id)").status == 200)
        #expect(try app.send("POST", "auth/logout").status == 204)
        #expect(try waitUntil(Promise.news) { try there.send("GET", "me").status == 401 })
        #expect(try first.stop() == 0)
        #expect(try second.stop() == 0)
    }
}
