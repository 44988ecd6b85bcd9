import ChilTestSupport
import Foundation
import Testing

/// A service that cannot start says which setting is wrong and what to do, at once.
@Suite(.testBed(), .ownThread)
struct StartTests {
    /// The exit status and all that was written.
    private func run(_ settings: [String: String?], _ arguments: [String] = []) throws -> (status: Int32, text: String)
    {
        let bed = try TestBed.required
        var environment = bed.settings
        for (name, value) in settings { environment[name] = value }
        let program = try Program(
            Program.built("chilapi"),
            arguments,
            environment: environment,
            output: bed.folder.appendingPathComponent("start-\(UUID()).log")
        )
        return (try program.wait(atMost: .seconds(10)), program.text)
    }

    @Test(arguments: [
        ("CHIL_DATABASE_URL", nil, "is not set"), ("CHIL_KEY_FILE", nil, "is not set"),
        ("CHIL_PUBLIC_URL", nil, "is not set"),
        ("CHIL_KEY_FILE", "/no/such/file", "cannot be opened"), ("CHIL_KEY_FILE", "/dev/null", "chmod 600"),
        ("CHIL_KEY_FILE", "", "is not set"),
        ("CHIL_LISTEN", "8080", "ADDRESS:PORT"), ("CHIL_LISTEN", "localhost:8080", "ADDRESS:PORT"),
        ("CHIL_LISTEN", "127.0.0.1:65536", "ADDRESS:PORT"), ("CHIL_PUBLIC_URL", "api.example.test", "origin"),
        ("CHIL_PUBLIC_URL", "https://api.example.test/path", "origin"), ("CHIL_LOOPS", "-1", "number"),
        ("CHIL_LOOPS", "63", "number"), ("CHIL_SEGMENT", "other", "one of"), ("CHIL_STATEMENTS", "Named", "one of"),
        ("CHIL_LOG", "xml", "one of"), ("CHIL_IMAGE_CACHE_MIB", "much", "number"),
        ("CHIL_LISTENN", "127.0.0.1:0", "no setting"),
        ("CHIL_", "1", "no setting"),
    ])
    func aWrongSettingIsNamed(_ name: String, _ value: String?, _ says: String) throws {
        let (status, text) = try run([name: value])
        #expect(status == 78, "\(text)")
        #expect(text.hasPrefix("chilapi: \(name) "), "\(text)")
        #expect(text.contains(says), "\(text)")
        #expect(text.hasSuffix("\n") && text.split(separator: "\n").count == 1, "\(text)")
    }

    /// Key files with something wrong in them; none of it is repeated.
    @Test(
        "K-05 a key file that cannot be used stops the start",
        arguments: [
            ("", 0o600, "no key"), ("# only a comment\n", 0o600, "no key"), ("1:00\n", 0o600, "line 1"),
            ("1:\(String(repeating: "AB", count: 32))\n", 0o600, "line 1"),
            ("1:\(String(repeating: "ab", count: 32))\n1:\(String(repeating: "cd", count: 32))\n", 0o600, "twice"),
            ("0:\(String(repeating: "ab", count: 32))\n", 0o600, "line 1"),
            ("1:\(String(repeating: "ab", count: 32))\n", 0o640, "chmod 600"),
            ("1:\(String(repeating: "ab", count: 32))\n", 0o604, "chmod 600"),
        ]
    )
    func aWrongKeyFileIsNamed(_ content: String, _ mode: Int, _ says: String) throws {
        let path = try TestBed.required.folder.appendingPathComponent("key-\(UUID())").path
        let isMade = FileManager.default.createFile(
            atPath: path,
            contents: Data(content.utf8),
            attributes: [.posixPermissions: mode]
        )
        try #require(isMade)
        let (status, text) = try run(["CHIL_KEY_FILE": path])
        #expect(status == 78)
        #expect(text.hasPrefix("chilapi: CHIL_KEY_FILE") && text.contains(says), "\(text)")
        #expect(!text.lowercased().contains("abab") && !text.contains("cdcd"))
    }

    @Test func anArgumentIsRefused() throws {
        let (status, text) = try run([:], ["--port", "1"])
        #expect(status == 78)
        #expect(text.contains("chilapi --help"))
    }

    @Test func helpNamesEverySetting() throws {
        let (status, text) = try run([:], ["--help"])
        #expect(status == 0)
        for name in try TestBed.required.settings.keys { #expect(text.contains(name)) }
    }

    /// The port of another service: an error at once, and the other goes on.
    @Test func aPortThatIsTakenStopsTheStart() throws {
        let service = try TestBed.required.service()
        let (status, text) = try run(["CHIL_LISTEN": "127.0.0.1:\(service.port)"])
        #expect(status == 69)
        #expect(text.contains("127.0.0.1:\(service.port)") && text.contains("in use"), "\(text)")
        #expect(try service.send(Request("GET", "/healthz")).status == 200)
    }

    /// Without a database it starts, serves what needs none, is not ready, and says so by 503.
    @Test func withoutADatabaseItWaits() throws {
        let bed = try TestBed.required
        let environment = bed.settings.merging(["CHIL_DATABASE_URL": "postgresql:///none?host=/nowhere"]) { $1 }
        let log = bed.folder.appendingPathComponent("waits.log")
        let service = try Service(environment, log: log, untilReady: false)
        defer { service.program.signal(SIGKILL) }
        #expect(try service.send(Request("GET", "/healthz")).status == 200)
        #expect(try service.send(Request("GET", "/readyz")).status == 503)
        for request in [Request("POST", "/north/auth/nonce"), Request("GET", "/north/me", bearer: "a")] {
            let answer = try service.send(request)
            try expectProblem(answer, 503, "database-away")
            #expect(answer["Retry-After"] != nil)
            #expect(answer.elapsed < Promise.refusal.patient)
        }
        #expect(try service.stop() == 0)
    }
}
