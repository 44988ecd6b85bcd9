import ChilTestSupport
import Foundation
import Testing

/// `PATCH drawings/{id}`: the title, of exactly what was seen.
@Suite(.testBed([.implicitNamed, .explicitUnnamed]), .ownThread)
struct DrawingChangeTests {
    private func change(_ app: App, _ drawing: Int, _ json: String, seen tag: String?) throws -> Answer {
        var request = app.request("PATCH", "drawings/\(drawing)", json: json)
        if let tag { request.fields.append(("If-Match", tag)) }
        return try app.service.send(request)
    }

    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func theTitleChanges(_ form: ServiceForm) throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(form), .north, bed.issuer)
        let drawing = try app.makeDrawing()
        let first = try app.send("GET", "drawings/\(drawing)")
        let tag = try #require(first["ETag"])
        #expect(try app.send("GET", "drawings/\(drawing)")["ETag"] == tag)
        #expect(try app.send("HEAD", "drawings/\(drawing)").status == 200)

        let named = try change(app, drawing, #"{"title":"달 위의 고양이"}"#, seen: tag)
        #expect(named.status == 200, "\(named.text)")
        #expect(try named.string("title") == "달 위의 고양이")
        #expect(try named.string("url") == first.string("url"))
        let next = try #require(named["ETag"])
        #expect(next != tag)
        #expect(try app.send("GET", "drawings/\(drawing)").string("title") == "달 위의 고양이")
        #expect(try app.send("GET", "drawings").array("data").first?["title"] as? String == "달 위의 고양이")

        // What was seen is no more: nothing is lost.
        try expectProblem(try change(app, drawing, #"{"title":"mine"}"#, seen: tag), 412, "precondition-failed")
        // Nothing to change changes nothing.
        #expect(try change(app, drawing, "{}", seen: next)["ETag"] == next)
        #expect(try change(app, drawing, #"{"title":"x"}"#, seen: "*").status == 200)
        let removed = try change(app, drawing, #"{"title":null}"#, seen: "*")
        #expect(removed.status == 200)
        #expect(try removed.members["title"] == nil)
    }

    @Test func refusalsChangeNothing() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try App(service, .north, bed.issuer)
        let others = [try App(service, .north, bed.issuer), try App(service, .south, bed.issuer)]
        let drawing = try app.makeDrawing()
        let before = try app.send("GET", "drawings/\(drawing)")
        let long = String(repeating: "x", count: 401)
        try expectProblem(try change(app, drawing, #"{"title":"x"}"#, seen: nil), 428, "precondition-required")
        try expectProblem(try change(app, drawing, #"{"title":"x"}"#, seen: "W/\"1\""), 412, "precondition-failed")
        for (body, pointer) in [
            (#"{"title":"\#(long)"}"#, "/title"), (#"{"title":1}"#, "/title"), (#"{"name":"x"}"#, "/name"),
        ] {
            try expectProblem(try change(app, drawing, body, seen: "*"), 422, "invalid-fields", pointer: pointer)
        }
        let text = app.request("PATCH", "drawings/\(drawing)", json: "{}")
        let plain = Request("PATCH", text.path, bearer: app.accessToken, type: "text/plain", body: Array("{}".utf8))
        try expectProblem(try service.send(plain), 415, "unsupported-media-type")
        for other in others {
            let foreign = try change(other, drawing, #"{"title":"x"}"#, seen: "*")
            let missing = try change(other, 1, #"{"title":"x"}"#, seen: "*")
            try expectProblem(foreign, 404, "not-found")
            #expect(foreign.unvarying == missing.unvarying)
        }
        #expect(try app.send("GET", "drawings/\(drawing)")["ETag"] == before["ETag"])
    }

    /// Of many who saw the same, one changes it.
    @Test func oneOfManyWins() throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(), .north, bed.issuer)
        let drawing = try app.makeDrawing()
        let tag = try #require(try app.send("GET", "drawings/\(drawing)")["ETag"])
        let answers = try inParallel(8) { try change(app, drawing, "{\"title\":\"\($0)\"}", seen: tag).status }
        #expect(answers.count { $0 == 200 } == 1 && answers.count { $0 == 412 } == 7, "\(answers)")
    }
}
