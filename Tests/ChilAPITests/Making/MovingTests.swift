import ChilDevMotion
import ChilMediaTestSupport
import ChilMotion
import ChilTestSupport
import Foundation
import Testing

/// `POST motion/{drawingId}` against the built service, with a simulated service behind it that misbehaves on command.
@Suite(.testBed(), .ownThread)
struct MovingTests {
    /// A tenant whose drawings are moved.
    private struct Stage {
        let tenant: Tenant
        let server: MotionSimulatorServer

        init(_ slug: String, flags: String = "", field: MotionForm.Field = .motionType) throws {
            let bed = try TestBed.required
            tenant = Tenant(slug: slug)
            server = try MotionSimulatorServer(MotionSimulator(field: field))
            try bed.administration.add(tenant, bed.issuer)
            try add(flags)
        }

        func add(_ flags: String = "") throws {
            try TestBed.required.administration.run(
                "motion add \(tenant.slug) --url \(server.origin) --allow-private \(server.authority)"
                    + (flags.isEmpty ? "" : " \(flags)")
            )
        }

        func addPrinter() throws {
            try TestBed.required.administration.run(
                "printer add \(tenant.slug) --name p --uri ipp://127.0.0.1:1/ipp/print --default"
            )
        }

        func app(_ service: Service? = nil) throws -> App {
            let bed = try TestBed.required
            return try App(try service ?? bed.service(), tenant, bed.issuer)
        }
    }

    /// A drawing that is told from others by its shade.
    private static func picture(_ shade: Int) -> [UInt8] {
        PNGMaker(width: 60, height: 40) { x, y in [shade, x * 4, y * 6] }.file()
    }

    private static func upload(_ app: App, _ shade: Int) throws -> Int {
        let answer = try app.service.send(app.upload(picture(shade)))
        try #require(answer.status == 201, "\(answer.text)")
        return try answer.int("drawingId")
    }

    private static func move(
        _ app: App,
        _ drawing: Int,
        _ word: String = "dance",
        adding field: (String, String)? = nil
    )
        throws -> Answer
    {
        var request = app.request("POST", "motion/\(drawing)", json: "{\"motionType\":\"\(word)\"}")
        if let field { request = request.adding(field.0, field.1) }
        return try app.service.send(request)
    }

    /// The bytes behind an answer's `url`, as an image loader gets them: without a header.
    private static func gif(_ app: App, _ answer: Answer) throws -> Answer {
        let url = try answer.string("url")
        try #require(url.hasPrefix(Service.publicURL))
        return try app.service.send(Request("GET", String(url.dropFirst(Service.publicURL.count))))
    }

    @Test func aDrawingMoves() throws {
        let stage = try Stage("moves")
        defer { stage.server.stop() }
        let app = try stage.app()
        let drawing = try Self.upload(app, 7)
        let answer = try Self.move(app, drawing, "JuMp")
        #expect(answer.status == 201, "\(answer.text)")
        let moving = try answer.int("drawingId")
        let names = try answer.members.keys.sorted()
        #expect(moving != drawing && names == ["drawingId", "url"])
        let gif = try Self.gif(app, answer)
        #expect(gif.status == 200 && gif["Content-Type"] == "image/gif")
        // What was sent is a picture of the same, upright, on white: the service's GIF is of that.
        let sent = try #require(stage.server.simulator.calls.first)
        #expect(sent.motion == "jump")
        #expect(gif.body == MovingPicture(png: sent.picture)?.gif(.jump))
        let shown = try app.send("GET", "drawings/\(moving)")
        #expect(try shown.string("type") == "ANIMATED" && shown.string("status") == "READY")
        #expect(try shown.string("mediaType") == "image/gif" && shown.int("sourceId") == drawing)
        #expect(try shown.int("width") == 60 && shown.int("height") == 40)
        let small = try app.send("GET", "drawings/\(moving)/image?size=thumbnail")
        #expect(small.status == 200 && small["Content-Type"] == "image/png")
        // Paper does not move.
        try stage.addPrinter()
        let print = try app.service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(moving)}"))
        try expectProblem(print, 422, "invalid-fields")
        let listed = try app.send("GET", "drawings?type=ANIMATED")
        #expect(try listed.array("data").map { $0["sourceId"] as? Int } == [drawing])
        #expect(try app.send("GET", "drawings/\(drawing)").members["sourceId"] == nil)
        // The source may go: what was made of it stays.
        #expect(try app.send("DELETE", "drawings/\(drawing)").status == 204)
        #expect(try Self.gif(app, answer).status == 200)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let quirk: MotionQuirk
        let status: Int
        let code: String
        var testDescription: String { quirk.rawValue }
    }

    @Test(arguments: [
        Refusal(quirk: .noHumanoid, status: 422, code: "no-character"),
        Refusal(quirk: .gifNotFound, status: 422, code: "no-character"),
        Refusal(quirk: .twoSkeletons, status: 422, code: "ambiguous-character"),
        Refusal(quirk: .channels, status: 422, code: "unsupported-image"),
    ])
    func aFailureIsToldAndCostsNothing(_ row: Refusal) throws {
        let stage = try Stage("fails-\(row.quirk.rawValue)")
        defer { stage.server.stop() }
        try TestBed.required.administration.run("quota set \(stage.tenant.slug) motions 1 --window day")
        let app = try stage.app()
        let drawing = try Self.upload(app, 1)
        stage.server.simulator.misbehave(row.quirk)
        let answer = try Self.move(app, drawing)
        try expectProblem(answer, row.status, row.code)
        for name in ["url", "drawingId"] { #expect(!answer.text.contains("\"\(name)\"")) }
        #expect(stage.server.simulator.calls.count == 1)
        // The quota came back: the only motion there is can still be had, and no other.
        #expect(try Self.move(app, drawing).status == 201)
        #expect([403, 429].contains(try Self.move(app, drawing).status))
    }

    @Test func whatPassesIsTriedAgain() throws {
        let stage = try Stage("tries-again")
        defer { stage.server.stop() }
        let app = try stage.app()
        let drawing = try Self.upload(app, 2)
        stage.server.simulator.misbehave(.drop)
        #expect(try Self.move(app, drawing).status == 201)
        #expect(stage.server.simulator.calls.count == 2)
    }

    @Test func theOlderFieldIsSpokenToo() throws {
        let stage = try Stage("older", flags: "--form-field motion", field: .motion)
        defer { stage.server.stop() }
        let app = try stage.app()
        #expect(try Self.move(app, try Self.upload(app, 3), "zombie").status == 201)
        #expect(stage.server.simulator.calls.map(\.motion) == ["zombie"])
    }

    /// Far enough from others' for the few colours of a GIF.
    private static func shade(_ child: Int, _ round: Int) -> Int { child * 60 + round * 3 }

    @Test func twoChildrenNeverSeeEachOthersPicture() throws {
        let first = try Stage("child-a"), second = try Stage("child-b")
        defer {
            first.server.stop()
            second.server.stop()
        }
        // Both tenants are served by one service, which answers the last call first.
        let shared = first.server
        try TestBed.required.administration.run(
            "motion add child-b --url \(shared.origin) --allow-private \(shared.authority) --position 0"
        )
        let rounds = 4, apps = [try first.app(), try second.app(), try first.app(), try second.app()]
        for round in 0..<rounds {
            let drawings = try apps.enumerated().map { try Self.upload($1, Self.shade($0, round)) }
            let before = shared.simulator.calls.count
            shared.simulator.answerInReverse(apps.count)
            let answers = try inParallel(apps.count) { try Self.move(apps[$0], drawings[$0], "hello") }
            #expect(answers.map(\.status) == [201, 201, 201, 201])
            let calls = Array(shared.simulator.calls.dropFirst(before))
            for (number, app) in apps.enumerated() {
                let gif = try Self.gif(app, answers[number]).body
                let own = calls.filter { MovingPicture(png: $0.picture)?.gif(.hello) == gif }
                // The shade says whose it is, through all that was done with the picture.
                let expected = MovingPicture(png: Self.picture(Self.shade(number, round)))?.gif(.hello)
                #expect(own.count == 1 && gif == expected, "round \(round), child \(number)")
            }
        }
    }

    @Test func foreignDrawingsAreNobodys() throws {
        let stage = try Stage("foreign-a"), other = try Stage("foreign-b")
        defer {
            stage.server.stop()
            other.server.stop()
        }
        let app = try stage.app(), sibling = try stage.app(), stranger = try other.app()
        let drawing = try Self.upload(app, 4)
        for caller in [sibling, stranger] {
            try expectProblem(try Self.move(caller, drawing), 404, "not-found")
            try expectProblem(try Self.move(caller, 1), 404, "not-found")
        }
        for body in [
            "{}", "{\"motionType\":\"moonwalk\"}", "{\"motionType\":7}", "{\"motionType\":\"dance\",\"url\":\"x\"}",
        ] {
            let answer = try app.service.send(app.request("POST", "motion/\(drawing)", json: body))
            try expectProblem(answer, 422, "invalid-fields")
        }
        #expect(stage.server.simulator.calls.isEmpty && other.server.simulator.calls.isEmpty)
    }

    @Test func whoAsksForItIsAnsweredAtOnceAndHearsOfItLive() throws {
        let stage = try Stage("later")
        defer { stage.server.stop() }
        let app = try stage.app()
        let drawing = try Self.upload(app, 5)
        let stream = try EventStream(app)
        #expect(try stream.next()?.type == "drawing.created")
        let answer = try Self.move(app, drawing, adding: ("Prefer", "respond-async"))
        #expect(answer.status == 202 && answer["Preference-Applied"] == "respond-async")
        let moving = try answer.int("drawingId")
        #expect(answer["Location"]?.hasSuffix("/drawings/\(moving)") == true)
        #expect(try answer.string("status") == "PENDING" && answer.int("sourceId") == drawing)
        let begun = try #require(try stream.next()), ended = try #require(try stream.next())
        let facts = "{\"drawingId\":\(moving),\"type\":\"ANIMATED\",\"status\":"
        #expect(begun.type == "drawing.created" && begun.data.hasPrefix("\(facts)\"PENDING\""))
        #expect(ended.type == "drawing.updated" && ended.data.hasPrefix("\(facts)\"READY\""))
        #expect(try app.send("GET", "drawings/\(moving)").string("status") == "READY")
    }

    @Test func aGuardianIsAskedWhereAPartyMovesDrawings() throws {
        let stage = try Stage("asks", flags: "--discloses-to motion-example")
        defer { stage.server.stop() }
        try TestBed.required.administration.run("tenant consent asks --require disclose:motion-example")
        let app = try stage.app()
        let answer = try Self.move(app, try Self.upload(app, 6))
        try expectProblem(answer, 403, "consent-required")
        #expect(stage.server.simulator.calls.isEmpty)
    }

    @Test func withoutAServiceTheOperatorIsNamed() throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(), .north, bed.issuer)
        let answer = try Self.move(app, try Self.upload(app, 8))
        try expectProblem(answer, 503, "no-picture-service")
        #expect(answer.text.contains("chiladmin motion add"))
    }
}
