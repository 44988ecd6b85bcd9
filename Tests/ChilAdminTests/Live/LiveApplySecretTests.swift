import ChilCrypto
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// What a tenant's file says of secrets, and what `--prune` takes away, against PostgreSQL.
@Suite struct LiveApplySecretTests {
    private static let file = #"""
        {"slug": "chillin",
         "clients": [{"clientId": "com.example.app", "issuers": ["https://id.example"], "jwksUrl": "https://id.example/keys",
                      "algorithms": ["ES256"], "noncePolicy": "server",
                      "credentials": {"teamId": "A1B2C3D4E5", "keyId": "F6G7H8I9J0", "keyFile": "team.p8"}},
                     {"clientId": "com.example.two", "issuers": ["https://id.example"], "jwksUrl": "https://id.example/keys",
                      "algorithms": ["ES256"], "noncePolicy": "server",
                      "credentials": {"teamId": "A1B2C3D4E5", "keyId": "F6G7H8I9J0"}}],
         "generators": [{"kind": "localai", "url": "http://127.0.0.1:9", "allowPrivate": "127.0.0.1:9", "model": "m", "position": 2,
                         "keyFile": "service.key"},
                        {"kind": "localai", "url": "http://127.0.0.1:9", "allowPrivate": "127.0.0.1:9", "model": "m", "position": 1,
                         "state": "disabled"}],
         "motion": [{"url": "http://127.0.0.1:9", "position": 1, "field": "motion", "allowPrivate": "127.0.0.1:9", "keyFile": "service.key"}]}
        """#
    private static let secret = "sk-\(String(repeating: "s", count: 40))"

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-apply-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func write(_ text: String, _ folder: URL, _ name: String = "tenant.json") throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func newTeamKey() throws -> String {
        String(decoding: try ES256PrivateKey().pem().copy(), as: UTF8.self)
    }

    @Test func secretsAreBesideTheFileAndInNoExport() async throws {
        let live = try await LiveDatabase()
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create other").status == .success)
        let path = try write(Self.file, folder)
        let missing = await live.run("tenant apply -f \(path)")
        #expect(missing.status == .dataRefused && missing.err.contains("team.p8"), "\(missing.err)")
        #expect(await live.run("tenant show chillin").status == .notFound)
        _ = try write(Self.secret + "\n", folder, "service.key")
        _ = try write(try newTeamKey(), folder, "team.p8")
        let applied = await live.run("tenant apply -f \(path)")
        #expect(applied.status == .success, "\(applied.err)")
        let clients = await live.run("client list chillin -o csv --field clientId,credentials,teamId --no-headers")
        #expect(
            clients.out == "com.example.app,set,A1B2C3D4E5\r\ncom.example.two,set,A1B2C3D4E5\r\n",
            "\(clients.out)"
        )
        let keys = await live.run("generator list chillin -o csv --field position,hasKey --no-headers")
        #expect(keys.out == "1,false\r\n2,true\r\n", "\(keys.out)")
        #expect(await live.run("motion list chillin --field hasKey --no-headers").out == "yes\n")

        // What is kept already is not given again, and not written down again.
        let audit = await live.run("audit list chillin --limit 500 -o ndjson").out
        let again = await live.run("tenant apply -f \(path)")
        #expect(again.status == .success && again.err.contains("Nothing to change."), "\(again.out)\(again.err)")
        #expect(await live.run("audit list chillin --limit 500 -o ndjson").out == audit)
        let exported = await live.run("tenant export chillin")
        #expect(exported.status == .success && exported.out.contains("\"hasKey\": true"), "\(exported.err)")
        #expect(exported.out.contains("\"keyId\": \"F6G7H8I9J0\"") && !exported.out.contains(Self.secret))
        #expect(!exported.out.contains("service.key") && !exported.out.contains("PRIVATE KEY"))
        let copy = try write(exported.out, folder, "copy.json")
        let same = await live.run("tenant apply -f \(copy)")
        #expect(same.status == .success && same.err.contains("Nothing to change."), "\(same.out)\(same.err)")
        #expect(await live.run("tenant export chillin").out == exported.out)

        // Other keys in the same files.
        _ = try write("sk-other", folder, "service.key")
        let changed = await live.run("tenant apply -f \(path) -o csv --no-headers")
        #expect(
            changed.out == "change,generators[localai http://127.0.0.1:9 m #2].keyFile,another key,service.key\r\n"
                + "change,motion[http://127.0.0.1:9].keyFile,another key,service.key\r\n",
            "\(changed.out)\(changed.err)"
        )
        _ = try write(try newTeamKey(), folder, "team.p8")
        let team = await live.run("tenant apply -f \(path) -o csv --no-headers --field change,path")
        let client = "clients[com.example.app https://id.example/keys].credentials"
        #expect(team.out == "change,\(client)\r\n", "\(team.out)\(team.err)")
        for (old, new, said) in [
            (#""keyId": "F6G7H8I9J0"}}],"#, #""keyId": "G6G7H8I9J0"}}],"#, ".credentials.keyFile: is missing"),
            ("team.p8", "../team.p8", "clients[0].credentials.keyFile: is not the name of a file beside this one"),
            ("team.p8", "/etc/passwd", "clients[0].credentials.keyFile: is not the name of a file beside this one"),
            ("team.p8", "..", "clients[0].credentials.keyFile: is not the name of a file beside this one"),
            ("team.p8", "link.p8", "link.p8' is no ordinary file"),
            ("team.p8", "service.key", "service.key': the file has no"),
        ] {
            let link = folder.appendingPathComponent("link.p8").path
            try? FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "team.p8")
            let run = await live.run(
                "tenant apply -f \(try write(Self.file.replacing(old, with: new), folder, "x.json"))"
            )
            #expect(run.status == .dataRefused && run.err.contains(said), "\(new): \(run.status) \(run.err)")
        }

        // A tenant of the same file elsewhere has no keys, and its operator is told which.
        let moved = exported.out.replacing("\"slug\": \"chillin\"", with: "\"slug\": \"moved\"")
            .replacing("https://id.example\"", with: "https://id2.example\"")
        let made = await live.run("tenant apply -f \(try write(moved, folder, "moved.json"))")
        #expect(made.status == .success && made.err.contains("its key is in no file"), "\(made.err)")
        #expect(await live.run("client list moved --field credentials --no-headers").out == "none\nnone\n")

        // What the file has no more.
        let bare = Self.file.replacing(
            #""credentials": {"teamId": "A1B2C3D4E5", "keyId": "F6G7H8I9J0", "keyFile": "team.p8"}"#,
            with: #""credentials": null"#
        ).replacing(#""credentials": {"teamId": "A1B2C3D4E5", "keyId": "F6G7H8I9J0"}"#, with: #""credentials": null"#)
        let forgotten = await live.run("tenant apply --prune --confirm=chillin -f \(try write(bare, folder))")
        #expect(forgotten.status == .success && forgotten.out.contains(".credentials"), "\(forgotten.err)")
        #expect(await live.run("client list chillin --field credentials --no-headers").out == "none\nnone\n")
        try await live.remove()
    }

    @Test func whatIsRemovedIsShownAndAskedFor() async throws {
        let live = try await LiveDatabase()
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await live.run("migrate", as: nil).status == .success)
        let full = try write(
            #"{"slug": "chillin", "quotas": [{"metric": "drawings", "limit": 5}, {"metric": "users", "limit": 7}]}"#,
            folder
        )
        let first = await live.run("tenant apply -f \(full)")
        #expect(first.status == .success, "\(first.err)")
        let path = try write(
            #"{"slug": "chillin", "name": "칠린", "quotas": [{"metric": "drawings", "limit": 6}]}"#,
            folder,
            "less.json"
        )
        let before = await live.run("tenant export chillin").out
        func apply(_ words: String, _ terminal: FakeTerminal = FakeTerminal(nil)) async -> Run {
            await live.run(
                "tenant apply -f \(path) \(words)".split(separator: " ").map(String.init),
                terminal: terminal
            )
        }
        let dry = await apply("--prune --dry-run -o ndjson")
        #expect(
            dry.status == .success
                && dry.out.contains(#""change": "remove", "path": "quotas[users tenant none]""#),
            "\(dry.err)"
        )
        let unasked = await apply("--prune")
        #expect(unasked.status == .usage && unasked.err.contains("--confirm is missing"), "\(unasked.err)")
        let other = await apply("--prune --confirm=other")
        #expect(other.status == .usage && other.err.contains("'other' is not 'chillin'"), "\(other.err)")
        #expect(await apply("--confirm=chillin").status == .usage)
        for said in ["", "y", "yes", "Chillin", "chillin "] {
            let refused = await apply("--prune", FakeTerminal(said))
            #expect(refused.status == .cancelled && refused.out.isEmpty, "\(said): \(refused.err)")
            #expect(
                refused.err.hasPrefix(
                    [
                        "~ name                                chillin -> 칠린",
                        "~ quotas[drawings tenant none].limit  5 -> 6",
                        "- quotas[users tenant none]           action=deny limit=7 metric=users scope=tenant window=none",
                        "This takes from 'chillin' what the file has not: 1 quotas.", "",
                    ].joined(separator: "\n")
                ),
                "\(refused.err)"
            )
            #expect(await live.run("tenant export chillin").out == before)
        }
        #expect(await apply("--prune", FakeTerminal("chillin")).status == .success)
        #expect(await live.run("quota list chillin -o csv --field metric,limit --no-headers").out == "drawings,6\r\n")
        // Nothing is removed: nobody is asked.
        let again = await apply("--prune", FakeTerminal("no"))
        #expect(again.status == .success && again.err.contains("Nothing to change."), "\(again.err)")
        try await live.remove()
    }
}
