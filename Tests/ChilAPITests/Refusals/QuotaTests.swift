import ChilTestSupport
import Testing

extension RefusalTests {
    @Suite struct Quotas {
        private func app(_ slug: String, _ quotas: [String]) throws -> App {
            let tenant = try RefusalTests.tenant(slug)
            for quota in quotas { try TestBed.required.administration.run("quota set \(slug) \(quota)") }
            return try RefusalTests.app(tenant)
        }

        @Test func theThirdOfTwoDrawingsIsRefused() throws {
            let app = try app("two", ["drawings 2"])
            let ids = try (0..<2).map { _ in try app.makeDrawing() }
            try expectProblem(try app.service.send(app.upload(Picture.png())), 403, "quota-exceeded")
            let large = Picture.jpeg(bytesMin: 300_000)
            try expectProblem(try app.service.send(app.upload(large, type: "image/jpeg")), 403, "quota-exceeded")
            // The limit is the tenant's, not a person's.
            let other = try RefusalTests.app(app.tenant)
            try expectProblem(try other.service.send(other.upload(Picture.png())), 403, "quota-exceeded")
            #expect(try app.send("DELETE", "drawings/\(ids[0])").status == 204)
            #expect(try other.service.send(other.upload(Picture.png())).status == 201)
            try expectProblem(try app.service.send(app.upload(Picture.png())), 403, "quota-exceeded")
            #expect(try app.send("GET", "drawings").array("data").count == 1)
        }

        @Test func twentyAtOnceMakeExactlyTen() throws {
            let app = try app("ten", ["drawings 10"])
            let connections = try (0..<20).map { _ in try Connection(to: app.service.port) }
            let answers = try inParallel(20) { try connections[$0].send(app.upload(Picture.png())) }
            #expect(answers.count { $0.status == 201 } == 10)
            for answer in answers where answer.status != 201 { try expectProblem(answer, 403, "quota-exceeded") }
            #expect(try app.send("GET", "drawings").array("data").count == 10)
        }

        @Test func bytesAreCounted() throws {
            let app = try app("bytes", ["storage_bytes 300000"])
            let large = Picture.jpeg(bytesMin: 200_000)
            try expectProblem(
                try app.service.send(app.upload(Picture.jpeg(bytesMin: 320_000), type: "image/jpeg")),
                403,
                "quota-exceeded"
            )
            let id = try app.service.send(app.upload(large, type: "image/jpeg")).int("drawingId")
            try expectProblem(
                try app.service.send(app.upload(Picture.jpeg(bytesMin: 50_000), type: "image/jpeg")),
                403,
                "quota-exceeded"
            )
            #expect(try app.send("DELETE", "drawings/\(id)").status == 204)
            #expect(try app.service.send(app.upload(large, type: "image/jpeg")).status == 201)
        }

        @Test func aWindowSaysWhenItEnds() throws {
            let app = try app("window", ["print_jobs 1 --window day"])
            try TestBed.required.administration.run(
                "printer add window --name far --uri ipp://127.0.0.1:1/ipp/print --default"
            )
            let request = app.request("POST", "drawings/print", json: "{\"drawingId\":\(try app.makeDrawing())}")
            #expect(try app.service.send(request).status == 200)
            let answer = try app.service.send(request)
            try expectProblem(answer, 429, "quota-window-exceeded")
            let wait = Int(answer["Retry-After"] ?? "")
            #expect(wait.map { (1...86_401).contains($0) } == true)
        }

        /// People are counted too; who is there already goes on.
        @Test func aFullTenantTakesNobodyNew() throws {
            let bed = try TestBed.required
            let tenant = try RefusalTests.tenant("full")
            try bed.administration.run("quota set full users 1")
            let service = try bed.service()
            _ = try App(service, tenant, bed.issuer, subject: "first")
            let nonce = try App.nonce(service, tenant)
            let token = try IdentityToken(bed.issuer, tenant, subject: "second", nonce: nonce).signed(bed.issuer.es256)
            try expectProblem(try service.send(App.signIn(tenant, token, nonce)), 403, "quota-exceeded")
            _ = try App(service, tenant, bed.issuer, subject: "first")
        }

        /// A limit that comes later holds for whoever is served already, and so does its end.
        @Test func aLimitIsFeltWithinASecond() throws {
            let app = try app("later", [])
            _ = try app.makeDrawing()
            try TestBed.required.administration.run("quota set later drawings 0")
            #expect(try waitUntil(Promise.news) { try app.service.send(app.upload(Picture.png())).status == 403 })
            try TestBed.required.administration.run("quota set later drawings 1000")
            #expect(try waitUntil(Promise.news) { try app.service.send(app.upload(Picture.png())).status == 201 })
        }
    }
}
