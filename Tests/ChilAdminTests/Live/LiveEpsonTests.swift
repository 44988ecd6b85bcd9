import ChilDevEpson
import ChilHTTP
import Foundation
import Testing

@testable import ChilAdmin

/// Printers of Epson's service and the scanners that are registered there, against PostgreSQL and the simulator.
@Suite struct LiveEpsonTests {
    private static func file(_ secret: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("epson-\(UUID()).secret").path
        try Data("\(secret)\n".utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(arguments: ["epson-v1", "epson-v2"])
    func aPrinterIsAddedAndItsScannersAreRegistered(_ kind: String) async throws {
        let live = try await LiveDatabase()
        let server = try EpsonSimulatorServer()
        defer { server.stop() }
        let settings = server.simulator.settings
        func run(_ line: String) async -> Run { await live.run(line, publicURL: "https://api.example") }
        #expect(await live.run("migrate", as: nil).status == .success)
        for tenant in ["chillin", "other"] { #expect(await run("tenant create \(tenant)").status == .success) }
        try await live.script(
            """
            insert into app_user (tenant_id, user_id, created_at, updated_at)
            select tenant_id, 1001, now(), now() from tenant where slug = 'chillin'
            """
        )
        let secret = try Self.file(settings.clientSecret)
        let key = try Self.file(settings.apiKey)
        let its = kind == "epson-v1" ? "--address \(settings.address)" : "--api-key-file \(key)"
        let add =
            "printer add chillin --name home --kind \(kind) --client-id \(settings.clientID) --client-secret-file \(secret) \(its) "
            + "--api-url \(server.origin) --auth-url \(server.origin) --upload-url \(server.uploadOrigin)"
        #expect(await run(add).err.contains("--allow-private"), "a simulator has to be meant")
        let added = await run(add + " --allow-private -o json")
        #expect(added.status == .success, "\(added.err)")
        #expect(
            added.out.contains("\"kind\": \"\(kind)\"") && added.out.contains("\"disclosedTo\": \"epson\""),
            "\(added.out)"
        )
        if kind == "epson-v2" {
            let early = await run("printer test chillin home")
            #expect(early.status == .failed && early.err.contains("printer authorize"), "\(early.err)")
            let code = server.simulator.permit(redirectURI: "http://127.0.0.1:8765/epson")
            #expect(await run("printer authorize other home --code \(code)").status == .notFound)
            #expect(await run("printer authorize chillin home --code wrong").status == .failed)
            let agreed = await run("printer authorize chillin home --code \(code)")
            #expect(agreed.status == .success, "\(agreed.err)")
            #expect(await run("printer authorize chillin home --code \(code)").status == .failed, "good once")
        } else {
            #expect(await run("printer authorize chillin home --code x").status == .dataRefused)
        }
        let report = await run("printer test chillin home")
        #expect(report.status == .success, "\(report.err)")
        #expect(report.out.contains("EPSON Simulator") && report.out.contains("iso_a4_210x297mm"), "\(report.out)")
        #expect(await run("printer test other home").status == .notFound)

        let name = "the-hall-on-the-first-floor"
        let alias = kind == "epson-v1" ? name : String(name.prefix(20))
        let scanner = await run("scanner add chillin --name \(name) --user 1001 --printer home")
        #expect(scanner.status == .success && scanner.err.contains("choose '\(alias)'"), "\(scanner.err)")
        let first = try #require(server.simulator.facts.destinations.first)
        #expect(
            first.hasPrefix("\(alias) https://api.example/chillin/scan/")
                && scanner.out.contains(first.dropFirst(alias.count + 1))
        )
        #expect(await run("scanner rotate chillin \(name)").err.contains("choose '\(alias)'"))
        let second = server.simulator.facts.destinations
        #expect(second.count == 1 && second[0] != first)

        // What Epson does not do leaves the address as good, and says how it is done by hand.
        server.simulator.misbehave(.destinations, .unavailable)
        let failed = await run("scanner add chillin --name two --user 1001 --printer home")
        #expect(failed.status == .success && failed.err.contains("not registered at Epson Connect"), "\(failed.err)")
        #expect(failed.out.contains("https://api.example/chillin/scan/"))
        #expect(await run("scanner rotate chillin two").err.contains("Register the address"), "nobody asked for it")
        #expect(await run("scanner add chillin --name three --user 1001 --printer away").status == .notFound)

        #expect(await run("scanner remove chillin \(name)").err.contains("at Epson Connect too"))
        #expect(server.simulator.facts.destinations.isEmpty)
        let audit = await run("audit list chillin -o json")
        for word in [settings.clientSecret, settings.apiKey] { #expect(!audit.out.contains(word)) }
        try await live.remove()
    }

    @Test func whatIsMissingIsSaid() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        let rows = [
            (
                "printer add chillin --name p --kind epson-v1 --client-id c --client-secret-file f",
                "--address is missing"
            ),
            (
                "printer add chillin --name p --kind epson-v2 --client-id c --client-secret-file f",
                "--api-key-file is missing"
            ),
            (
                "printer add chillin --name p --kind epson-v1 --client-id c --address nobody --client-secret-file f",
                "--address"
            ),
            (
                "printer add chillin --name p --kind epson-v1 --client-id c --address a@b --client-secret-file /none",
                "no file"
            ),
            ("printer add chillin --name p --kind epson-v3", "--kind"),
            ("printer add chillin --name p", "--uri is missing"),
        ]
        for (line, said) in rows {
            let run = await live.run(line)
            #expect(run.status != .success && run.err.contains(said), "\(line): \(run.err)")
        }
        try await live.remove()
    }

    @Test(arguments: [
        ("GET", "/epson", "code=abc&state=s", 200, true), ("GET", "/epson", "code=abc&state=other", 400, false),
        ("GET", "/epson", "code=abc", 400, false), ("POST", "/epson", "code=abc&state=s", 404, false),
        ("GET", "/other", "code=abc&state=s", 404, false), ("GET", "/epson", "error=not_registered&state=s", 200, true),
        ("GET", "/epson", "state=s", 200, true),
    ])
    func onlyOurStateIsHeard(_ method: String, _ path: String, _ query: String, _ status: Int, _ isSettled: Bool) throws
    {
        let inbox = EpsonRedirect(path: "/epson", state: "s")
        let items = try QueryItems(Array(query.utf8)[...])
        let answer = inbox.answer(method == "GET" ? .get : .post, path, items)
        #expect(Int(answer.0.rawValue) == status)
        #expect((inbox.outcome != nil) == isSettled)
    }
}
