import ChilHTTP
import ChilTestSupport
import ChilWebhook
import Foundation
import Testing

@testable import ChilAdmin

/// Webhook endpoints as an operator keeps them, against PostgreSQL and a server that listens.
@Suite struct LiveWebhookTests {
    @Test func anEndpointIsAddedTestedRotatedAndRemoved() async throws {
        let live = try await LiveDatabase()
        let receiver = try WebhookReceiver(.status(.noContent))
        defer { receiver.stop() }
        func expect(
            _ line: String,
            _ status: ExitCode,
            out: String = "",
            err: String = "",
            at location: SourceLocation = #_sourceLocation
        ) async -> String {
            let run = await live.run(line)
            #expect(run.status == status, "\(line): \(run.err)", sourceLocation: location)
            #expect(out.isEmpty || run.out.contains(out), "\(line): \(run.out)", sourceLocation: location)
            #expect(err.isEmpty || run.err.contains(err), "\(line): \(run.err)", sourceLocation: location)
            return run.out
        }
        #expect(await live.run("migrate", as: nil).status == .success)
        _ = await expect("tenant create chillin", .success)
        _ = await expect("tenant create other", .success)
        let made = await expect(
            "webhook add chillin --url \(receiver.url) --allow-private \(receiver.authority) --events drawing.created,user.deleted",
            .success,
            out: "whsec_",
            err: "not shown again"
        )
        let id = try #require(made.split(whereSeparator: \.isWhitespace).dropFirst().first.map(String.init))
        let secret = try #require(
            made.split(whereSeparator: \.isWhitespace).last.flatMap { WebhookSecret(parsing: String($0)) }
        )
        _ = await expect("webhook list chillin", .success, out: "drawing.created, user.deleted")
        _ = await expect("webhook show chillin \(id)", .success, out: receiver.url)
        _ = await expect("webhook show other \(id)", .notFound, err: "no webhook endpoint \(id)")
        _ = await expect("webhook test chillin \(id)", .success, out: "204")
        let letter = try #require(receiver.letters.first)
        #expect(letter.text.contains("\"type\":\"webhook.test\""))
        #expect(letter.signature.hasPrefix("v1,"))
        receiver.set(.status(.internalServerError))
        _ = await expect("webhook test chillin \(id)", .failed, err: "answers 500")

        let rotated = await expect("webhook rotate chillin \(id) --overlap 2d", .success, out: "whsec_")
        #expect(!rotated.contains(secret.text))
        _ = await expect("webhook rotate other \(id)", .notFound)
        // Sealed anew with the rest, under a new master key.
        try live.setKeys("1:\(String(repeating: "0f", count: 32))\n2:\(String(repeating: "1e", count: 32))\n")
        _ = await expect("key reseal --tenant chillin", .success, out: "3")
        try live.setKeys("2:\(String(repeating: "1e", count: 32))\n")
        receiver.set(.status(.ok))
        _ = await expect("webhook test chillin \(id)", .success, out: "200")

        _ = await expect("webhook disable chillin \(id)", .success, out: "disabled")
        _ = await expect("webhook enable chillin \(id)", .success, out: "enabled")
        _ = await expect("webhook deliveries chillin", .success)
        _ = await expect("webhook replay chillin --dead", .success, err: "Nothing to send")
        // Two are dead, and their endpoint takes nothing.
        try await live.script(
            """
            insert into webhook_event (tenant_id, event_id, type, subject, data, at)
            select t.tenant_id, 70 + n, 'drawing.created', '1', '', now()
              from tenant t, generate_series(1, 2) n where t.slug = 'chillin';
            insert into webhook_delivery (tenant_id, endpoint_id, event_id, type, state, ended_at)
            select t.tenant_id, \(id), 70 + n, 'drawing.created', 'dead', now()
              from tenant t, generate_series(1, 2) n where t.slug = 'chillin'
            """
        )
        _ = await expect("webhook disable chillin \(id)", .success)
        _ = await expect(
            "webhook replay chillin --dead",
            .success,
            err: "`chiladmin webhook enable chillin \(id)` first"
        )
        _ = await expect("webhook enable chillin \(id)", .success)
        _ = await expect("webhook replay chillin --dead", .success, out: "2")
        _ = await expect("webhook replay chillin", .usage, err: "--event or --dead is missing")
        _ = await expect("webhook remove other \(id)", .notFound)
        _ = await expect("webhook remove chillin \(id)", .success, err: "Removed.")
        let audit = await expect("audit list chillin --action webhook.*", .success)
        for word in ["webhook.add", "webhook.rotate", "webhook.disable", "webhook.enable", "webhook.remove"] {
            #expect(audit.contains(word))
        }
        try await live.remove()
    }

    /// Catalogue row A-14, when an endpoint is set up. A name that leads to a private address counts too.
    @Test func whatLeadsInsideIsRefused() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        for url in [
            "file:///etc/passwd", "gopher://hooks.example/", "http://hooks.example/", "https://169.254.169.254/latest",
            "https://[::1]/",
            "https://0x7f.1/", "https://2130706433/", "https://hooks.example@169.254.169.254/", "https://localhost/",
        ] {
            let run = await live.run("webhook add chillin --url \(url) --events all")
            #expect(run.status == .dataRefused, "\(url): \(run.err)")
            #expect(run.out.isEmpty)
        }
        #expect(await live.run("webhook list chillin -o json").out == "[]\n")
        let unknown = await live.run("webhook add chillin --url https://hooks.example/ --events drawing.painted")
        #expect(unknown.status == .usage && unknown.err.contains("drawing.created"))
        try await live.remove()
    }
}
