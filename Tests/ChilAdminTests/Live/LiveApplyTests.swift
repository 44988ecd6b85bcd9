import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// A tenant by a file, against PostgreSQL: the same file back, nothing twice, all or nothing.
@Suite struct LiveApplyTests {
    private static let whole = #"""
        {
          "clients": [{"clientId": "com.example.app", "issuers": ["https://id.example"], "jwksUrl": "https://id.example/keys",
                       "algorithms": ["ES256"], "noncePolicy": "optional", "tokenAgeMax": 900},
                      {"clientId": "com.example.web", "issuers": ["https://id.example"], "jwksUrl": "https://id.example/keys",
                       "algorithms": ["ES256"], "noncePolicy": "optional", "tokenAgeMax": 900, "use": "web",
                       "redirectUri": "https://api.example/chillin/auth/apple/callback", "returnUrl": "com.example.app://in",
                       "authorizeUrl": "https://id.example/authorize", "tokenUrl": "https://id.example/token",
                       "revokeUrl": "https://id.example/revoke", "migrationUrl": "https://id.example/migrate"}],
          "consent": {"notice": 2, "scopes": ["collect", "disclose:epson"]},
          "generation": {"level": "easy", "recipe": "A {wish}, {level}. White background.", "words": ["총", "two words"]},
          "generators": [{"kind": "sketchbook", "position": 3, "state": "disabled"}],
          "guest": {"served": true, "printsPerDay": 100},
          "limits": [{"scope": "user", "class": "print", "count": 10, "seconds": 60}],
          "motion": [{"url": "http://127.0.0.1:9", "position": 1, "field": "motion", "timeoutSeconds": 90, "allowPrivate": "127.0.0.1:9"}],
          "name": "아틀리에 \"$(id)\" '; drop table tenant; --",
          "plan": null,
          "printers": [{"name": "--hall=1", "uri": "ipp://127.0.0.1:9/ipp/print", "default": true, "state": "draining"},
                       {"name": "안방", "uri": "ipps://127.0.0.1:9/ipp/print", "disclosesTo": "epson"}],
          "printing": {"scale": "paper", "paper": "letter", "jobMark": true},
          "quotas": [{"metric": "drawings", "limit": 50, "soft": 40},
                     {"metric": "print_jobs", "scope": "user", "window": "day", "limit": 5, "action": "warn"}],
          "retention": {"audit": "forever", "drawings.generated": "90"},
          "sessions": {"idle": "14d", "absolute": "60d", "max": 7},
          "slug": "chillin",
          "timeZone": "Asia/Seoul",
          "webhooks": [{"url": "http://127.0.0.1:9/x", "allowPrivate": "127.0.0.1:9", "events": ["drawing.created"], "state": "disabled"}]
        }
        """#

    private func write(_ text: String, _ folder: URL, _ name: String = "tenant.json") throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    @Test func whatIsAppliedIsExported() async throws {
        let live = try await LiveDatabase()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-apply-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create other").status == .success)
        let path = try write(Self.whole, folder)
        let tried = await live.run("tenant apply -f \(path) --dry-run")
        #expect(tried.status == .success && tried.out.contains("printers[--hall=1]"), "\(tried.out)\(tried.err)")
        #expect(await live.run("tenant show chillin").status == .notFound)
        let applied = await live.run("tenant apply -f \(path)")
        #expect(applied.status == .success, "\(applied.err)")
        #expect(applied.out == tried.out)
        let exported = await live.run("tenant export chillin")
        #expect(exported.status == .success, "\(exported.err)")
        for said in [
            "\"--hall=1\"", "\"안방\"", "\"draining\"", "\"tokenAgeMax\": 900", "\"letter\"", "\"max\": 7", "\"forever\"",
            "\"총\"", "\"two words\"", "\"com.example.app://in\"", "\"https://id.example/migrate\"",
        ] {
            #expect(exported.out.contains(said), "\(said): \(exported.out)")
        }
        #expect(exported.out.contains(#""아틀리에 \"$(id)\" '; drop table tenant; --""#))

        // Again, and what was exported: nothing is to be done, and the same file comes back.
        let again = await live.run("tenant apply -f \(path)")
        #expect(again.status == .success && again.err.contains("Nothing to change."), "\(again.out)\(again.err)")
        let copy = try write(exported.out, folder, "copy.json")
        let same = await live.run("tenant apply -f \(copy)")
        #expect(same.status == .success && same.err.contains("Nothing to change."), "\(same.out)\(same.err)")
        #expect(await live.run("tenant export chillin").out == exported.out)

        // Elsewhere it makes the same tenant.
        let moved = exported.out.replacing("\"slug\": \"chillin\"", with: "\"slug\": \"moved\"")
            .replacing("https://id.example\"", with: "https://id2.example\"")
        let made = await live.run("tenant apply -f \(try write(moved, folder, "moved.json"))")
        #expect(made.status == .success, "\(made.err)")
        #expect(await live.run("tenant export moved").out == moved)

        // Back to nothing.
        let bare =
            #"{"slug": "chillin", "quotas": [], "printers": [], "webhooks": [], "motion": [], "generators": [], "limits": [], "retention": {}, "clients": []}"#
        let left = await live.run("tenant apply -f \(try write(bare, folder, "bare.json"))")
        #expect(
            left.status == .success && left.out.contains("left") && left.err.contains("--prune"),
            "\(left.out)\(left.err)"
        )
        #expect(await live.run("tenant export chillin").out == exported.out)
        let pruned = await live.run("tenant apply --prune --confirm=chillin -f \(try write(bare, folder, "bare.json"))")
        #expect(pruned.status == .success, "\(pruned.err)")
        #expect(await live.run("printer list chillin -o json").out == "[]\n")
        #expect(await live.run("tenant export other").status == .success)
        let audit = await live.run("audit list chillin -o json")
        for action in ["tenant.create", "printer.add", "quota.set", "webhook.add"] {
            #expect(audit.out.contains(action), "\(action)")
        }
        try await live.remove()
    }

    @Test func allOfItOrNothing() async throws {
        let live = try await LiveDatabase()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-apply-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        let before = await live.run("tenant export chillin").out
        for (text, said) in [
            (#"{"slug": "chillin", "timeZone": "Asia/Seoul", "plan": "nosuch"}"#, "plan: no plan 'nosuch'"),
            (
                #"{"slug": "chillin", "timeZone": "Asia/Seoul", "printers": [{"name": "a", "uri": "http://x"}]}"#,
                "printers[a]: --uri"
            ),
            (
                #"{"slug": "chillin", "quotas": [{"metric": "--help", "limit": 1}]}"#,
                "quotas[--help tenant none]: METRIC"
            ),
            (#"{"slug": "chillin", "quotas": [{"metric": "drawings", "limit": -1}]}"#, "quotas["),
            (
                #"{"slug": "chillin", "quotas": [{"metrc": "drawings", "limit": 1}]}"#,
                "quotas[0].metrc: is unknown; did you mean metric?"
            ),
            (#"{"slug": "chillin", "quotas": [{"metric": "drawings"}]}"#, "quotas[0].limit: is missing"),
            (
                #"{"slug": "chillin", "quotas": [{"metric": "drawings", "limit": 1}, {"metric": "drawings", "limit": 2}]}"#,
                "twice"
            ),
            (#"{"slug": "chillin", "sesions": {}}"#, "sesions: is unknown; did you mean sessions?"),
            (#"{"slug": "chillin", "timeZone": 7}"#, "timeZone: is not a text"),
            (#"{"slug": "chillin", "name": "a\u001b[2J"}"#, "name: --name"),
            (#"{"slug": "chillin", "name": "a\nb"}"#, "name: --name"),
            (#"{"slug": "--help"}"#, "slug: is not a tenant's slug"), (#"{"name": "a"}"#, "slug: is missing"),
            ("[]", "is not an object"),
            (#"{"slug": "chillin", "slug": "other"}"#, "is no JSON"), ("", "is no JSON"),
            (#"{"slug": "chillin", "quotas": 1.5}"#, "quotas: is no whole number"),
            (#"{"slug": "chillin", "webhooks": [{"url": "http://127.0.0.1:9", "events": ["all"]}]}"#, "webhooks["),
        ] {
            let run = await live.run("tenant apply -f \(try write(text, folder))")
            #expect(run.status != .success && run.err.contains(said), "\(text): \(run.status) \(run.err)")
            #expect(!run.err.utf8.contains(0x1B))
            #expect(await live.run("tenant export chillin").out == before, "\(text)")
        }
        #expect(await live.run("tenant apply -f \(folder.path)/nosuch.json").status != .success)
        #expect(await live.run("tenant export nosuch").status == .notFound)
        try await live.remove()
    }
}
