import ChilCore
import ChilDevEpson
import ChilTestSupport
import Foundation
import Testing

/// Epson's service says that a job has changed: it is asked for at once, and nothing else comes of it.
@Suite(.testBed(), .ownThread)
struct EpsonNoticeTests {
    /// A tenant, and a print at its simulator, whose clock stands. Nobody looks at the print for an hour.
    private final class Stage {
        let server: EpsonSimulatorServer
        let app: App
        let job: Int
        private let clock: Locked<ContinuousClock.Instant>
        private static let pace = Duration.seconds(30)

        var simulator: EpsonSimulator { server.simulator }

        init(_ slug: String, _ kind: String) throws {
            let bed = try TestBed.required
            let service = try bed.service()
            let tenant = Tenant(slug: slug)
            var settings = EpsonSimulatorSettings()
            settings.pace = Self.pace
            settings.callbackHosts = [Service.publicURL: "http://127.0.0.1:\(service.port)"]
            let clock = Locked(ContinuousClock.now)
            self.clock = clock
            server = try EpsonSimulatorServer(settings) { clock.withLock { $0 } }
            try bed.administration.add(tenant, bed.issuer)
            let its =
                kind == "epson-v1"
                ? "--address \(settings.address)" : "--api-key-file \(try Self.file(settings.apiKey))"
            try bed.administration.run(
                "printer add \(slug) --name home --kind \(kind) --client-id \(settings.clientID) --client-secret-file "
                    + "\(try Self.file(settings.clientSecret)) \(its) --api-url \(server.origin) --auth-url "
                    + "\(server.origin) --upload-url \(server.uploadOrigin) --allow-private --default"
            )
            if kind == "epson-v2" {
                let code = server.simulator.permit(redirectURI: "http://127.0.0.1:8765/epson")
                try bed.administration.run("printer authorize \(slug) home --code \(code)")
            }
            app = try App(service, tenant, bed.issuer)
            let drawing = try app.makeDrawing()
            job = try app.service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}"))
                .int("printJobId")
            let (running, number) = (app, job)
            let isSent = try waitUntil(.seconds(30)) {
                try running.send("GET", "print-jobs/\(number)").string("status") == "sent"
            }
            try #require(isSent)
            // What was told when it was asked to print has come.
            let isTold = try waitUntil(.seconds(30)) {
                try bed.query(
                    """
                    select 'told' from epson_account a join tenant t using (tenant_id)
                     where t.slug = '\(slug)' and a.noticed_at is not null
                    """
                ) == ["told"]
            }
            try #require(isTold)
        }

        /// The next look is an hour away.
        func rest() throws {
            let (slug, job) = (app.tenant.slug, job)
            let isResting = try waitUntil(.seconds(30)) {
                let rows = try TestBed.required.query(
                    """
                    with free as (
                        update work w set run_at = now() + interval '1 hour'
                          from tenant t where t.slug = '\(slug)' and w.tenant_id = t.tenant_id and w.subject_id = \(job)
                           and w.kind = 'print' and w.leased_by is null and w.hinted_at is null
                        returning w.tenant_id
                    )
                    update print_job j
                       set machine = regexp_replace(
                           j.machine, 'next=[0-9]+', 'next=' || (extract(epoch from now() + interval '1 hour') * 1000000)::bigint)
                      from free f where j.tenant_id = f.tenant_id and j.job_id = \(job)
                    returning 'rests'
                    """
                )
                return rows == ["rests"]
            }
            try #require(isResting)
        }

        func turnClock() {
            clock.withLock { $0 += Self.pace + .seconds(1) }
            _ = simulator.facts
        }

        var path: String {
            get throws {
                String(
                    try #require(simulator.facts.callback).dropFirst("\(Service.publicURL)/\(app.tenant.slug)/".count)
                )
            }
        }

        var polls: Int { simulator.facts.calls.count { $0 == .job } }

        func status() throws -> String { try app.send("GET", "print-jobs/\(job)").string("status") }

        /// As whoever likes to.
        func call(_ path: String, _ body: String, as tenant: String? = nil) throws -> Answer {
            var request = Request("POST", "/\(tenant ?? app.tenant.slug)/\(path)")
            request.fields.append(("Content-Type", "application/json"))
            request.body = Array(body.utf8)
            return try app.service.send(request)
        }

        private static func file(_ secret: String) throws -> String {
            let path = try TestBed.required.folder.appendingPathComponent("epson-\(UUID()).secret").path
            try Data("\(secret)\n".utf8).write(to: URL(fileURLWithPath: path))
            return path
        }
    }

    private static let lie = #"{"Param":{"Type":"ImmediatePrint","JobId":"1","JobStatus":"completed"}}"#

    @Test(arguments: ["epson-v1", "epson-v2"])
    func theStateIsReadWhenEpsonSaysSo(_ kind: String) throws {
        let stage = try Stage("told-\(kind)", kind), quiet = try Stage("quiet-\(kind)", kind)
        defer {
            stage.server.stop()
            quiet.server.stop()
        }
        for one in [stage, quiet] { try one.rest() }
        let before = quiet.polls
        // Nobody is told that paper moves; the other tenant's printer is told, and has printed.
        stage.turnClock()
        stage.turnClock()
        #expect(try waitUntil(.seconds(60)) { try stage.status() == "completed" })
        let facts = stage.simulator.facts
        #expect(facts.papers.count == 1 && facts.jobs.count == 1)
        #expect(facts.callback?.hasPrefix("\(Service.publicURL)/told-\(kind)/epson/") == true)
        #expect(quiet.polls == before, "the other tenant's print was asked for")
        #expect(try quiet.status() == "sent")
        #expect(facts.calls.count { $0 == .notification } == 1, "an address is registered once")
    }

    @Test func whatIsForgedOrRepeatedChangesNothing() throws {
        let stage = try Stage("forged", "epson-v2"), other = try Stage("forges", "epson-v2")
        defer {
            stage.server.stop()
            other.server.stop()
        }
        for one in [stage, other] { try one.rest() }
        let (before, foreign) = (stage.polls, try other.path)
        let path = try stage.path
        let letters = path.dropFirst("epson/".count)
        for wrong in [
            "epson/\(String(letters.dropLast()))", "epson/\(letters)A", "epson/\(letters.uppercased())",
            "epson/\(String(letters.reversed()))", "epson/", "epson/%00", foreign, "scan/\(letters)",
        ] {
            let answer = try stage.call(wrong, Self.lie)
            try expectProblem(answer, 404, "not-found")
        }
        #expect(stage.polls == before)
        #expect(try stage.status() == "sent")

        // Who has the address is not believed either: what it says is asked for.
        for body in [Self.lie, "{}", #"{"Param":[]}"#, "{\(String(repeating: " ", count: (16 << 10) - 2))}"] {
            let answer = try stage.call(path, body)
            #expect(answer.status == 200 && answer.text.isEmpty, "\(answer.text)")
        }
        #expect(waitUntil(.seconds(60)) { stage.polls > before })
        #expect(try stage.status() == "sent")
        try expectProblem(try stage.call(path, String(repeating: " ", count: (16 << 10) + 1)), 413, "content-too-large")

        stage.turnClock()
        stage.turnClock()
        #expect(try waitUntil(.seconds(60)) { try stage.status() == "completed" })
        let polls = stage.polls
        for _ in 0..<5 {
            let answer = try stage.call(path, Self.lie)
            #expect(answer.status == 200 && answer.text.isEmpty, "it is answered as before")
        }
        #expect(try stage.status() == "completed")
        #expect(stage.polls == polls && stage.simulator.facts.papers.count == 1)
        #expect(try other.status() == "sent" && other.simulator.facts.papers.isEmpty)
        #expect(!(try TestBed.required.logs().contains(String(letters))), "addresses are in no log")
    }
}
