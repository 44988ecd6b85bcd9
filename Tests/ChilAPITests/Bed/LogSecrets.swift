import Foundation
import Testing

/// What tests give to people who are to leave no trace in a log.
enum Planted {
    static let mark = "planted-person"

    /// A fresh `sub`.
    static func subject() -> String { "\(mark).\(UUID())" }
}

/// What no log line may hold, known by its shape: every service of every suite is held to it when the suite ends.
enum LogSecrets {
    static let shapes = [
        (name: "a JWT", pattern: #"eyJ[A-Za-z0-9_-]{10,}"#),
        (name: "one of our tokens, codes or receipts", pattern: #"chl_[a-z]{2}_[A-Za-z0-9_-]{6,}"#),
        // Apple's codes and refresh tokens, and the stand-in's (`DevelopmentIssuer.secret`).
        (
            name: "the provider's code or token",
            pattern: #"[a-z][0-9a-f]{32}\.[0-9]+\.[a-z]+\.[A-Za-z0-9_-]{22}"#
        ),
        (
            name: "256 random bits: a nonce, a code, a verifier",
            pattern: #"(?<![A-Za-z0-9_/-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_/-])"#
        ),
        (name: "a webhook secret, or a signature by it", pattern: #"whsec_|v1,[A-Za-z0-9+/]{20}"#),
        (name: "an e-mail address", pattern: #"[A-Za-z0-9._+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}"#),
        (name: "who somebody is: a subject of the tests, or a name", pattern: Planted.mark),
        (name: "a private key", pattern: "-----BEGIN|PRIVATE KEY"),
        (name: "a key of the key file", pattern: "[0-9a-f]{64}"),
        (name: "a query or a form", pattern: #"(client_secret|refresh_token|id_token|code_verifier|signature)="#),
    ]

    /// The lines that hold any, each with what it is.
    static func found(in log: String) -> [String] {
        var found: [String] = []
        for line in log.split(separator: "\n") {
            for shape in shapes where line.range(of: shape.pattern, options: .regularExpression) != nil {
                found.append("\(shape.name): \(line.prefix(1_000))")
            }
        }
        return found
    }

    /// Looks through the services' logs in a bed's folder.
    static func check(_ folder: URL) {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        for file in files where file.pathExtension == "log" {
            // What operators are told goes to whoever asked.
            let name = file.lastPathComponent
            if name.hasPrefix("chiladmin-") { continue }
            let log = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            for line in found(in: log) { Issue.record("\(name) tells \(line)") }
        }
    }
}

@Suite struct LogSecretTests {
    static let planted = [
        "token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "refresh chl_rt_AQAAAAAAAAABAAAAAAAAAAE",
        "nonce \"n-0S6_WzA2MjKqYx3vJ8c1bT5hR7uE9wLpD4fGsZoXk\"", "mail maeum+1@private.example.com",
        "key -----BEGIN PRIVATE KEY-----", "master \(String(repeating: "5a", count: 32))",
        "code c\(String(repeating: "0f", count: 16)).0.dev.Zm9vYmFyYmF6cXV4cXV1eA", "sub \(Planted.subject())",
        "body grant_type=refresh_token&refresh_token=x",
    ]

    @Test(arguments: planted)
    func whatIsPlantedIsFound(_ text: String) {
        #expect(!LogSecrets.found(in: "{\"message\":\"ready\"}\n{\"message\":\"\(text)\"}").isEmpty)
    }

    @Test(arguments: [
        #"{"time":"2026-11-30T11:18:57.678Z","level":"info","message":"listening","address":"127.0.0.1:33195","publicURL":"https://api.example.test"}"#,
        #"{"level":"error","message":"request failed","request":"3f9c0a1b2c3d0000001a","error":"database: unavailable"}"#,
    ])
    func whatIsNoSecretIsNone(_ line: String) {
        #expect(LogSecrets.found(in: line).isEmpty)
    }
}
