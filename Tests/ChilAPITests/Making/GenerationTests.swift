import ChilCore
import ChilHTTP
import ChilTestSupport
import Foundation
import Testing

/// `POST drawings/gen`, against services that behave and that do not.
@Suite(.testBed([.implicitNamed, .explicitNamed]), .ownThread)
struct GenerationTests {
    @Test(arguments: [ServiceForm.implicitNamed, .explicitNamed])
    func aWishBecomesADrawing(_ form: ServiceForm) throws {
        let bed = try TestBed.required
        let studio = try Studio("drawn-\(form == .implicitNamed ? "a" : "b")")
        defer { studio.standIn.stop() }
        try bed.administration.run("quota set \(studio.tenant.slug) generations 5 --window day")
        let app = try studio.app(try bed.service(form))
        let answer = try app.draw("달 위의 고양이 \"나비\"")
        #expect(answer.status == 201, "\(answer.text)")
        // As the contract and the first app want it, and nothing else.
        #expect(Set(try answer.members.keys) == ["drawingId", "url", "prompt"])
        #expect(try answer.string("prompt") == "달 위의 고양이 \"나비\"")
        let id = try answer.int("drawingId"), url = try answer.string("url")
        #expect(answer["Location"] == "\(Service.publicURL)/\(studio.tenant.slug)/drawings/\(id)")
        let image = try app.service.send(Request("GET", String(url.dropFirst(Service.publicURL.count))))
        #expect(image.status == 200 && image["Content-Type"] == "image/png")
        let listed = try app.send("GET", "drawings?type=GENERATED").array("data")
        #expect(listed.count == 1 && listed[0]["status"] as? String == "READY" && listed[0]["url"] as? String == url)
        let asked = try #require(studio.standIn.requests.first)
        #expect(asked.target == "/0/images/generations" && asked.text.contains("달 위의 고양이"))
        #expect(
            try bed.query(
                """
                select j.state, j.revised_prompt, (select used from quota q where q.tenant_id = j.tenant_id and q.metric = 'generations')
                  from image_job j where j.job_id = \(id)
                """
            ) == ["ready|a tabby|1"]
        )
        try bed.administration.run("quota recount --check")
    }

    /// Without a key and without a network; whatever the wish, something comes of it.
    @Test func theSketchbookDrawsByItself() throws {
        let bed = try TestBed.required
        let studio = try Studio("sketched", kinds: [])
        defer { studio.standIn.stop() }
        try bed.administration.run("generator add sketched --kind sketchbook")
        // What leaves the house for a party needs consent; this does not.
        try bed.administration.run("tenant consent sketched --require disclose:openai")
        let app = try studio.app()
        for wish in ["달 위의 고양이", "two cats and a rainbow", "쀍뷁", "***", "🐙"] {
            let answer = try app.draw(wish)
            #expect(answer.status == 201, "\(wish): \(answer.text)")
            let drawing = try app.send("GET", "drawings/\(try answer.int("drawingId"))")
            #expect(try drawing.int("width") == 1_024 && drawing.string("mediaType") == "image/png")
        }
        let titles = try bed.query("select revised_prompt from image_job where owner_id = \(app.userID)")
        #expect(titles.count == 5 && titles.allSatisfy { $0.hasPrefix("sketchbook: ") })
    }

    @Test func withoutAServiceNobodyDraws() throws {
        let studio = try Studio("nobody", kinds: [])
        defer { studio.standIn.stop() }
        let answer = try studio.app().draw("a cat")
        try expectProblem(answer, 503, "no-picture-service")
        #expect(answer["Retry-After"] != nil)
    }

    @Test func wishesThatAreNotDrawnLeaveNoTrace() throws {
        let bed = try TestBed.required
        let studio = try Studio("gentle")
        defer { studio.standIn.stop() }
        let words = bed.folder.appendingPathComponent("words.txt")
        try Data("# ours\n피카츄\nPikachu\n".utf8).write(to: words)
        try bed.administration.run("generator settings gentle --words-file \(words.path) --level easy")
        let app = try studio.app()
        for wish in ["권총", "a g u n", "노란 피카츄랑 나", "PIKACHU"] {
            try expectProblem(try app.draw(wish), 422, "wish-refused")
        }
        #expect(studio.standIn.requests.isEmpty)
        #expect(try bed.query("select count(*) from drawing where owner_id = \(app.userID)") == ["0"])
        #expect(try app.draw("a cat").status == 201)
        #expect(try #require(studio.standIn.requests.first).text.contains("3 to 5 years"))
        #expect(try app.service.send(app.wish("a dog", style: "detailed")).status == 201)
        #expect(try #require(studio.standIn.requests.last).text.contains("9 years"))
        try expectProblem(
            try app.service.send(app.wish("a dog", style: "oil")),
            422,
            "invalid-fields",
            pointer: "/style"
        )
    }

    @Test func whatAServiceWouldExecuteDoesNotReachIt() throws {
        let studio = try Studio("clean")
        defer { studio.standIn.stop() }
        let app = try studio.app()
        let wish = "cat <sd_cpp_extra_args>{\"steps\":150}</sd_cpp_extra_args> | dog <lora:evil:1>\u{202E}"
        let answer = try app.draw(wish)
        #expect(answer.status == 201)
        #expect(try answer.string("prompt") == wish)
        let asked = try #require(studio.standIn.requests.first).text
        for word in ["sd_cpp", "lora", "|", "steps"] { #expect(!asked.contains(word)) }
    }

    @Test func whatAServiceRefusesIsFriendlyAndFinal() throws {
        let bed = try TestBed.required
        let studio = try Studio("moderated", kinds: ["openai", "sdcpp"]) { _ in
            .json(.badRequest, #"{"error":{"code":"moderation_blocked","message":"secret reason"}}"#)
        }
        defer { studio.standIn.stop() }
        try bed.administration.run("quota set moderated generations 5 --window day")
        let answer = try studio.app().draw("a cat")
        try expectProblem(answer, 422, "wish-refused")
        #expect(!answer.text.contains("secret reason"))
        // No other service is asked, and nothing is tried again.
        #expect(studio.standIn.requests.count == 1)
        #expect(try used("moderated") == "0")
    }

    @Test func theNextServiceIsAsked() throws {
        let studio = try Studio("fallback", kinds: ["openai", "sdcpp"]) { request in
            request.target.hasPrefix("/0") ? .page(.badGateway) : Studio.drawn()
        }
        defer { studio.standIn.stop() }
        let app = try studio.app()
        for _ in 0..<3 { #expect(try app.draw("a cat").status == 201) }
        // After two failures in a row the first is left alone.
        #expect(studio.standIn.requests.map { String($0.target.prefix(2)) } == ["/0", "/1", "/0", "/1", "/1"])
        let shown = try TestBed.required.administration.run("generator list fallback -o json")
        #expect(
            shown.contains("it answered 502") || shown.contains("\"failures\": 2") || shown.contains("\"failures\":2")
        )
    }

    @Test func whatIsOfNoUseIsDrawnOnceMore() throws {
        let studio = try Studio("blank") { _ in Studio.drawn(Studio.page(shade: 255)) }
        defer { studio.standIn.stop() }
        try expectProblem(try studio.app().draw("asdf qwer"), 422, "picture-unusable")
        #expect(studio.standIn.requests.count == 2)
        #expect(try used("blank") == nil)
    }

    @Test func aKeyThatIsRefusedIsNotTriedAgain() throws {
        let studio = try Studio("unpaid") { _ in .json(.unauthorized, #"{"error":{"message":"bad key"}}"#) }
        defer { studio.standIn.stop() }
        try expectProblem(try studio.app().draw("a cat"), 503, "picture-services-away")
        #expect(studio.standIn.requests.count == 1)
    }

    @Test func whoDoesNotWaitFindsItLater() throws {
        let studio = try Studio("patient") { _ in .slow(.milliseconds(600), Studio.drawn()) }
        defer { studio.standIn.stop() }
        let app = try studio.app()
        for (name, applied) in [("respond-async", "respond-async"), ("wait=0", "wait=0")] {
            let answer = try app.service.send(app.wish("a cat").adding("Prefer", name))
            #expect(answer.status == 202 && answer["Preference-Applied"] == applied, "\(answer.text)")
            let id = try answer.int("drawingId")
            #expect(answer["Location"] == "\(Service.publicURL)/patient/drawings/\(id)")
            #expect(try answer.string("status") == "PENDING" && answer.members["url"] == nil)
            #expect(try app.send("GET", "drawings/\(id)/image").status == 404)
            let settled = try app.settled(id)
            #expect(try settled.string("status") == "READY" && settled.string("url").hasPrefix(Service.publicURL))
        }
    }

    @Test("A-10 equal wishes with one key: one drawing, one quota, equal answers")
    func aWishWithAKeyIsDrawnOnce() throws {
        let bed = try TestBed.required
        let studio = try Studio("once-wish") { _ in .slow(.milliseconds(300), Studio.drawn()) }
        defer { studio.standIn.stop() }
        try bed.administration.run("quota set once-wish generations 50 --window day")
        let app = try studio.app()
        let key = "\"\(UUID())\""
        let request = app.wish("a cat").adding("Idempotency-Key", key)
        let connections = try (0..<12).map { _ in try Connection(to: app.service.port) }
        var answers = try inParallel(12) { try connections[$0].send(request) }
        for index in answers.indices {
            _ = try waitUntil(.seconds(20)) {
                if answers[index].status != 409 { return true }
                answers[index] = try app.service.send(request)
                return false
            }
        }
        #expect(Set(answers.map(\.status)) == [201])
        #expect(Set(try answers.map { try $0.int("drawingId") }).count == 1)
        #expect(studio.standIn.requests.count == 1)
        #expect(try used("once-wish") == "1")
        let other = app.wish("a dog").adding("Idempotency-Key", key)
        try expectProblem(try app.service.send(other), 422, "idempotency-key-reused")
    }

    @Test func limitsAreKept() throws {
        let bed = try TestBed.required
        let studio = try Studio("limited")
        defer { studio.standIn.stop() }
        try bed.administration.run("quota set limited generations 1 --window day --scope user")
        let app = try studio.app(), neighbour = try studio.app()
        #expect(try app.draw("a cat").status == 201)
        let refused = try app.draw("a cat")
        try expectProblem(refused, 429, "quota-window-exceeded")
        #expect(refused["Retry-After"] != nil)
        #expect(try neighbour.draw("a cat").status == 201)
        #expect(studio.standIn.requests.count == 2)
    }

    /// Wishes go to a party only with a guardian's consent; the second service is the house's own.
    @Test func aPartyIsAskedWithConsentAlone() throws {
        let bed = try TestBed.required
        let studio = try Studio("guarded", kinds: ["openai"], flags: "--discloses-to openai")
        defer { studio.standIn.stop() }
        try bed.administration.run("tenant consent guarded --require disclose:openai")
        let app = try studio.app()
        let refused = try app.draw("a cat")
        try expectProblem(refused, 403, "consent-required")
        #expect(try refused.string("scope") == "disclose:openai")
        #expect(studio.standIn.requests.isEmpty)
        try bed.administration.run(
            "generator add guarded --kind localai --url \(studio.standIn.url)/own --allow-private \(studio.standIn.authority)"
        )
        #expect(try app.draw("a cat").status == 201)
        #expect(studio.standIn.requests.map(\.target) == ["/own/images/generations"])
        let given = app.request(
            "POST",
            "consents",
            json: #"{"scopes":["disclose:openai"],"given":true,"guardian":"g-1","method":"sms","notice":1}"#
        )
        #expect(try app.service.send(given).status < 300)
        #expect(try app.draw("a cat").status == 201)
        #expect(studio.standIn.requests.last?.target == "/0/images/generations")
    }

    /// The notice changes while a service is asked: what was accepted is not shown to a party any more, and the app hears what to ask for.
    @Test func consentThatIsLostOnTheWayIsNamed() throws {
        let bed = try TestBed.required
        let administration = bed.administration
        let studio = try Studio("unasked", kinds: ["openai"], flags: "--discloses-to openai") { _ in
            _ = try? administration.run("tenant consent unasked --require disclose:openai --notice 2")
            return .json(.serviceUnavailable, "{}")
        }
        defer { studio.standIn.stop() }
        try administration.run("tenant consent unasked --require disclose:openai --notice 1")
        let app = try studio.app()
        let given = app.request(
            "POST",
            "consents",
            json: #"{"scopes":["disclose:openai"],"given":true,"guardian":"g-1","method":"sms","notice":1}"#
        )
        #expect(try app.service.send(given).status < 300)
        let refused = try app.draw("a cat")
        try expectProblem(refused, 403, "consent-required")
        #expect(try refused.string("scope") == "disclose:openai" && refused.int("notice") == 2)
        #expect(studio.standIn.requests.count == 1)
    }

    /// Answers come in another order than wishes: each child gets its own.
    @Test func nobodySeesAnothersPicture() throws {
        let first = try Studio("mine") { request in
            let isSlow = request.text.contains("slow")
            return .slow(.milliseconds(isSlow ? 500 : 50), Studio.drawn(Studio.page(shade: isSlow ? 1 : 2)))
        }
        let second = try Studio("yours") { _ in Studio.drawn(Studio.page(shade: 3)) }
        defer {
            first.standIn.stop()
            second.standIn.stop()
        }
        let apps = [try first.app(), try first.app(), try second.app()]
        let wishes = ["a slow cat", "a fast cat", "another cat"]
        let answers = try inParallel(3) { try apps[$0].draw(wishes[$0]) }
        for (index, shade) in [1, 2, 3].enumerated() {
            #expect(answers[index].status == 201, "\(answers[index].text)")
            #expect(try answers[index].string("prompt") == wishes[index])
            let id = try answers[index].int("drawingId")
            let image = try apps[index].send("GET", "drawings/\(id)/image")
            #expect(image.body == Studio.page(shade: shade))
            for other in apps.indices where other != index {
                try expectProblem(try apps[other].send("GET", "drawings/\(id)"), 404, "not-found")
            }
        }
    }

    @Test("JS-01: JSONTestSuite as bodies is never 5xx") func oddBodiesAreRefused() throws {
        let studio = try Studio("odd-bodies")
        defer { studio.standIn.stop() }
        let app = try studio.app()
        let names = try Vectors.names(in: "json/test_parsing")
        #expect(names.count > 200)
        for name in names {
            let body = try Vectors.bytes("json/test_parsing/\(name)")
            let request = Request(
                "POST",
                "/\(studio.tenant.slug)/drawings/gen",
                bearer: app.accessToken,
                type: "application/json",
                body: body
            )
            let status = try app.service.send(request).status
            #expect([400, 413, 422].contains(status), "\(name): \(status)")
        }
    }

    @Test("Big List of Naughty Strings as wishes: kept byte for byte or refused") func naughtyWishes() throws {
        let studio = try Studio("naughty")
        defer { studio.standIn.stop() }
        let app = try studio.app()
        for wish in try Vectors.load("strings/blns.json", as: [String].self) {
            let answer = try app.service.send(app.wish(wish).adding("Prefer", "respond-async"))
            // 201 where it was drawn before the answer looked.
            #expect([201, 202, 422].contains(answer.status), "\(wish): \(answer.text)")
            guard answer.status != 422 else { continue }
            // Foundation's reader leaves a byte order mark out.
            let kept = try StrictJSON.parse(answer.body).object?["prompt"]?.string
            #expect(kept.map { Array($0.utf8) } == Array(wish.utf8), "\(wish)")
        }
    }

    @Test(arguments: [
        "{}", #"{"prompt":""}"#, #"{"prompt":7}"#, #"{"prompt":null}"#, #"{"prompt":"a","url":"x"}"#,
        #"{"prompt":"a\u0000b"}"#,
        #"{"prompt":"\#(String(repeating: "가", count: 400))"}"#,
    ])
    func otherWishesAreRefused(_ json: String) throws {
        let app = try App(try TestBed.required.service(), .north, try TestBed.required.issuer)
        let answer = try app.service.send(app.request("POST", "drawings/gen", json: json))
        try expectProblem(answer, 422, "invalid-fields")
        #expect(try answer.members["url"] == nil && answer.members["drawingId"] == nil)
    }

    private func used(_ slug: String) throws -> String? {
        try TestBed.required.query(
            "select used from quota q join tenant t using (tenant_id) where t.slug = '\(slug)' and q.metric = 'generations'"
        ).first
    }
}

/// What outlives requests and processes.
/// One after another: each kills, stops or counts the processes of the others' bed.
@Suite(.testBed([]), .ownThread, .serialized)
struct GenerationCrashTests {
    /// Killed in the middle: the lease runs out, another draws, and the quota is taken once.
    @Test func aKilledServicesWishIsDrawnByAnother() throws {
        let bed = try TestBed.required
        let studio = try Studio("killed") { _ in .slow(.seconds(30), Studio.drawn()) }
        defer { studio.standIn.stop() }
        try bed.administration.run("quota set killed generations 5 --window day")
        let service = try bed.start()
        defer { service.program.signal(SIGKILL) }
        let app = try studio.app(service)
        let id = try service.send(app.wish("a cat").adding("Prefer", "respond-async")).int("drawingId")
        try #require(waitUntil(.seconds(20)) { studio.standIn.requests.count == 1 })
        service.program.signal(SIGKILL)
        _ = try? service.program.wait(atMost: .seconds(5))
        studio.standIn.set { _ in Studio.drawn() }
        try bed.query("update work set run_at = now() where kind = 'image'")
        let next = try bed.start()
        defer { next.program.signal(SIGKILL) }
        let isReady = try waitUntil(.seconds(60)) {
            try bed.query("select state from image_job where job_id = \(id)") == ["ready"]
        }
        #expect(isReady)
        #expect(studio.standIn.requests.count == 2)
        #expect(
            try bed.query("select used from quota where metric = 'generations'") == ["1"]
                && bed.query("select count(*) from work where kind = 'image'") == ["0"]
                && bed.query("select count(*) from quota_reservation") == ["0"]
        )
        try bed.administration.run("quota recount --check")
    }

    /// A request that waits at one service while the worker of another draws is told at once.
    @Test func aPictureIsToldToOtherProcesses() throws {
        let bed = try TestBed.required
        let studio = try Studio("two-halls") { _ in .slow(.milliseconds(500), Studio.drawn()) }
        defer { studio.standIn.stop() }
        try bed.withReplicas(2) { services in
            let apps = try services.map { try studio.app($0) }
            let answers = try inParallel(8) { try apps[$0 % 2].draw("a cat") }
            #expect(Set(answers.map(\.status)) == [201])
        }
    }

    /// SIGTERM while a request waits: 202, and the next process draws.
    @Test func whoWaitsIsToldWhenTheServiceStops() throws {
        let bed = try TestBed.required
        let studio = try Studio("closing") { _ in .slow(.seconds(3), Studio.drawn()) }
        defer { studio.standIn.stop() }
        let service = try bed.start()
        defer { service.program.signal(SIGKILL) }
        let app = try studio.app(service)
        let wish = app.wish("a cat")
        let answers = try inParallel(2) { place -> Answer? in
            if place == 0 { return try service.send(wish) }
            _ = waitUntil(.seconds(20)) { studio.standIn.requests.count == 1 }
            service.program.signal(SIGTERM)
            return nil
        }
        let answer = try #require(answers[0])
        #expect([201, 202].contains(answer.status), "\(answer.text)")
        #expect(try service.program.wait(atMost: .seconds(40)) == 0)
        let id = try answer.int("drawingId")
        let next = try bed.start()
        defer { next.program.signal(SIGKILL) }
        try bed.query("update work set run_at = now() where kind = 'image'")
        let isReady = try waitUntil(.seconds(60)) {
            try bed.query("select state from image_job where job_id = \(id)") == ["ready"]
        }
        #expect(isReady)
    }
}
