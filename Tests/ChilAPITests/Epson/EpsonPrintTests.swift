import ChilAuth
import ChilCore
import ChilDatabase
import ChilDevEpson
import ChilEpson
import ChilLoop
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// Prints by Epson's service, from an app's call to the paper at the simulator; and tokens of which there is one for all.
@Suite(.testBed(), .ownThread)
struct EpsonPrintTests {
    /// A tenant whose default printer is the simulator's.
    private struct Stage {
        let tenant: Tenant
        let server: EpsonSimulatorServer
        let kind: String

        var simulator: EpsonSimulator { server.simulator }

        init(_ slug: String, _ kind: String, pace: Duration = .milliseconds(200)) throws {
            let bed = try TestBed.required
            tenant = Tenant(slug: slug)
            self.kind = kind
            var settings = EpsonSimulatorSettings()
            settings.pace = pace
            server = try EpsonSimulatorServer(settings)
            try bed.administration.add(tenant, bed.issuer)
            let secret = try Self.file(settings.clientSecret)
            let key = try Self.file(settings.apiKey)
            let its = kind == "epson-v1" ? "--address \(settings.address)" : "--api-key-file \(key)"
            try bed.administration.run(
                "printer add \(slug) --name home --kind \(kind) --client-id \(settings.clientID) --client-secret-file "
                    + "\(secret) \(its) --api-url \(server.origin) --auth-url \(server.origin) --upload-url "
                    + "\(server.uploadOrigin) --allow-private --default"
            )
            if kind == "epson-v2" { try authorize() }
        }

        func authorize() throws {
            let code = simulator.permit(redirectURI: "http://127.0.0.1:8765/epson")
            try TestBed.required.administration.run("printer authorize \(tenant.slug) home --code \(code)")
        }

        func report() throws -> String {
            try TestBed.required.administration.run("printer test \(tenant.slug) home")
        }

        private static func file(_ secret: String) throws -> String {
            let path = try TestBed.required.folder.appendingPathComponent("epson-\(UUID()).secret").path
            try Data("\(secret)\n".utf8).write(to: URL(fileURLWithPath: path))
            return path
        }

        func app(_ service: Service? = nil) throws -> App {
            let bed = try TestBed.required
            return try App(try service ?? bed.service(), tenant, bed.issuer)
        }
    }

    private static func state(_ app: App, _ job: Int) throws -> String {
        try app.send("GET", "print-jobs/\(job)").string("status")
    }

    @Test(arguments: ["epson-v1", "epson-v2"])
    func aDrawingComesOut(_ kind: String) throws {
        let stage = try Stage("prints-\(kind)", kind)
        defer { stage.server.stop() }
        #expect(try stage.report().contains("EPSON Simulator"))
        let app = try stage.app()
        let drawing = try app.makeDrawing()
        stage.simulator.setSheets(0)
        let answer = try app.service.send(
            app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing),\"scale\":\"LARGE\"}")
        )
        #expect(answer.status == 200, "\(answer.text)")
        let job = try answer.int("printJobId")
        var shown = answer
        let isBlocked = try waitUntil(.seconds(30)) {
            shown = try app.send("GET", "print-jobs/\(job)")
            return try shown.string("status") == "blocked"
        }
        #expect(isBlocked, "\(shown.text)")
        #expect(try shown.string("reason") == "paperEmpty")
        stage.simulator.setSheets(1)
        let isDone = try waitUntil(.seconds(30)) { try Self.state(app, job) == "completed" }
        #expect(isDone)
        let facts = stage.simulator.facts
        #expect(facts.papers.count == 1 && facts.jobs.count == 1)
        #expect(facts.names[0].hasPrefix("chil-"))
        let logs = try TestBed.required.logs()
        for secret in [stage.simulator.settings.clientSecret, stage.simulator.settings.apiKey] {
            #expect(!logs.contains(secret))
        }
        // Nor in the database as they are.
        let dump = try TestBed.required.dump()
        for secret in [stage.simulator.settings.clientSecret, stage.simulator.settings.apiKey, "access-", "refresh-"] {
            let hex = secret.utf8.map { String($0, radix: 16) }.joined()
            #expect(!dump.contains(hex), "\(secret)")
        }
    }

    /// Of all processes one refreshes, and the others read what it has stored: a refresh token is good once.
    @Test func oneRefreshesForAll() async throws {
        let bed = try TestBed.required
        let stage = try Stage("refreshes", "epson-v2")
        defer { stage.server.stop() }
        let tenant = try await bed.tenantID(stage.tenant)
        let ring = try KeyRing(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: bed.keyFile))))
        let printer = try await bed.withOperator { database in
            try #require(try await PrinterList(of: tenant).rows(from: database).first).id
        }
        let url = bed.database.url("chil_service")
        for round in 1...3 {
            stage.simulator.expireTokens()
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await withDatabase(url) { database in
                            try await LoopHome(database.loop).run { loop in
                                let vault = EpsonVault(of: printer, in: tenant, database, Sealer(ring), on: loop)
                                return try await EpsonClient(vault.site(), vault, on: loop).device().serial
                            }
                        }
                    }
                }
                for try await serial in group { #expect(serial == stage.simulator.settings.serial) }
            }
            let facts = stage.simulator.facts
            #expect(facts.refreshes == round && facts.reuses == 0, "round \(round)")
        }
    }

    /// An answer that is lost takes the permission with it, which is said, and given anew.
    @Test func aLostRefreshWantsItsOwnerAgain() throws {
        let stage = try Stage("loses", "epson-v2")
        defer { stage.server.stop() }
        stage.simulator.expireTokens()
        stage.simulator.misbehave(.token, .cutAfter)
        #expect(throws: Program.Failure.self) { try stage.report() }
        let second = #expect(throws: Program.Failure.self) { try stage.report() }
        #expect(second?.description.contains("printer authorize") == true, "\(String(describing: second))")
        let asked = stage.simulator.facts.calls.count { $0 == .token }
        #expect(throws: Program.Failure.self) { try stage.report() }
        #expect(stage.simulator.facts.calls.count { $0 == .token } == asked, "what is void is not shown again")
        let app = try stage.app()
        let drawing = try app.makeDrawing()
        let answer = try app.service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}"))
        let job = try answer.int("printJobId")
        let waits = try waitUntil(.seconds(20)) {
            try app.send("GET", "print-jobs/\(job)").members["reason"] as? String == "credentials"
        }
        #expect(waits)
        try stage.authorize()
        #expect(try stage.report().contains("connected"))
        #expect(try waitUntil(.seconds(60)) { try Self.state(app, job) == "completed" })
        #expect(stage.simulator.facts.papers.count == 1)
    }

    /// What nobody uses for days is renewed all the same, before Epson lets it end.
    @Test func whatLiesIdleIsRenewed() throws {
        let bed = try TestBed.required
        let stage = try Stage("idle", "epson-v2")
        defer { stage.server.stop() }
        try bed.query(
            """
            update epson_account a set updated_at = now() - interval '11 days', access_until = now() - interval '10 days'
              from tenant t where t.slug = 'idle' and a.tenant_id = t.tenant_id
            """
        )
        let other = try bed.start()
        defer { other.program.signal(SIGKILL) }
        #expect(waitUntil(.seconds(60)) { stage.simulator.facts.refreshes == 1 })
        #expect(try other.stop() == 0)
    }

    /// Whoever deletes their account has what waits at Epson dropped there.
    @Test(arguments: ["epson-v1", "epson-v2"])
    func aDeletedAccountsJobIsDropped(_ kind: String) throws {
        let stage = try Stage("drops-\(kind)", kind, pace: .seconds(600))
        defer { stage.server.stop() }
        let app = try stage.app()
        let drawing = try app.makeDrawing()
        let answer = try app.service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}"))
        let job = try answer.int("printJobId")
        #expect(try waitUntil(.seconds(30)) { try Self.state(app, job) == "sent" })
        #expect(try app.send("DELETE", "me").status == 202)
        #expect(waitUntil(.seconds(30)) { stage.simulator.facts.calls.contains(.cancel) })
        #expect(waitUntil(.seconds(30)) { stage.simulator.facts.waiting.isEmpty })
        #expect(stage.simulator.facts.papers.isEmpty)
    }

    /// The browser's way: an address to open, a redirect with our state, and nothing of a redirect without it.
    @Test func itsOwnerAgreesInABrowser() async throws {
        let bed = try TestBed.required
        let stage = try Stage("agrees", "epson-v2")
        defer { stage.server.stop() }
        let port = try FreePort.one()
        let program = try Program(
            Program.built("chiladmin"),
            [
                "printer", "authorize", "agrees", "home", "--redirect-uri", "http://127.0.0.1:\(port)/epson", "--wait",
                "60s",
            ],
            environment: [
                "CHIL_DATABASE_URL": bed.database.url("chil_operator"), "CHIL_KEY_FILE": bed.keyFile,
                "CHIL_OPERATOR": "ann", "NO_COLOR": "1",
            ],
            output: bed.folder.appendingPathComponent("authorize.log")
        )
        let isAsked = waitUntil(.seconds(20)) { program.text.contains("&state=") }
        try #require(isAsked, "\(program.text)")
        let place = try #require(
            program.text.split(separator: "\n").first { $0.contains("/auth/authorize?") }.map(String.init)
        )
        let forged = try await Browser.get("http://127.0.0.1:\(port)/epson?code=stolen&state=other")
        #expect(forged.status == 400)
        let redirect = try await Browser.get(place)
        #expect(redirect.status == 302)
        let back = try await Browser.get(try #require(redirect.location))
        #expect(back.status == 200)
        #expect(try program.wait(atMost: .seconds(20)) == 0, "\(program.text)")
        #expect(try stage.report().contains("connected"))
    }
}
