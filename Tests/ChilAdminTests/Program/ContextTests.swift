import ChilDatabase
import Foundation
import Testing

@testable import ChilAdmin

@Suite struct ContextTests {
    /// A folder of its own that is XDG_CONFIG_HOME.
    private struct Home {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("chil-context-\(UUID())").path
        var file: String { path + "/chiladmin/config" }

        func write(_ text: String, mode: Int = 0o600) throws {
            try FileManager.default.createDirectory(atPath: path + "/chiladmin", withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        }

        func remove() { try? FileManager.default.removeItem(atPath: path) }
    }

    private static let text = """
        # mine
        current = staging

        [production]
        database = postgresql://chil_operator@db.example/chil
        read-only = yes
        color = red
        key-file = /keys/production

        [staging]
        database = service=chil-staging
        """

    private func settings(_ line: String, _ home: Home, _ environment: [String: String] = [:]) async -> (Run, Settings?)
    {
        var environment = environment
        environment["XDG_CONFIG_HOME"] = home.path
        let made = Made()
        let run = await Run(
            line.split(separator: " ").map(String.init),
            console: RecordingConsole(),
            environment: environment
        ) {
            made.settings = $0
            return FakeServices()
        }
        return (run, made.settings)
    }

    private final class Made { var settings: Settings? }

    struct Row: CustomTestStringConvertible, Sendable {
        let flags: String
        let environment: [String: String]
        let url: String?
        var testDescription: String { "\(flags) \(environment)" }

        init(_ flags: String, _ environment: [String: String], _ url: String?) {
            (self.flags, self.environment, self.url) = (flags, environment, url)
        }
    }

    @Test(arguments: [
        Row("", [:], "service=chil-staging"),
        Row("--context production", [:], "postgresql://chil_operator@db.example/chil"),
        Row("--context production", ["CHIL_DATABASE_URL": "env"], "postgresql://chil_operator@db.example/chil"),
        Row("--database-url flag", ["CHIL_DATABASE_URL": "env", "CHIL_CONTEXT": "production"], "flag"),
        Row("", ["CHIL_DATABASE_URL": "env"], "env"),
        Row("", ["CHIL_CONTEXT": "production"], "postgresql://chil_operator@db.example/chil"),
        Row("", ["PGHOST": "h"], "service=chil-staging"),
    ])
    func flagsGoBeforeTheEnvironmentAndThatBeforeTheFile(_ row: Row) async throws {
        let home = Home()
        defer { home.remove() }
        try home.write(Self.text)
        let (run, settings) = await settings("tenant list \(row.flags)", home, row.environment)
        #expect(run.status == .success, "\(run.err)")
        #expect(settings?.databaseURL == row.url)
    }

    @Test(arguments: ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE"])
    func libpqsOwnVariablesSuffice(_ name: String) throws {
        let environment = Environment { [name: "x"][$0] }
        #expect(try Settings(environment: environment, databaseURL: nil).requireDatabaseURL() == "postgresql://")
        #expect(try Settings(environment: Environment { ["PGUSER": "x"][$0] }, databaseURL: nil).databaseURL == nil)
    }

    @Test func aReadOnlyContextRefusesWritesBeforeItConnects() async throws {
        let home = Home()
        defer { home.remove() }
        try home.write(Self.text)
        for sample in CommandSample.all {
            let entry = CommandTable.standard.commands.first { $0.guide.name == sample.path }
            let guide = try #require(entry?.guide)
            let (run, settings) = await settings(sample.line + " --context production", home)
            if entry?.effect == .reads || !guide.needsDatabase || guide.keepsDatabase {
                #expect(run.status == .success, "\(sample.path): \(run.err)")
            } else {
                #expect(run.status == .notPermitted, "\(sample.path)")
                #expect(settings == nil)
                #expect(
                    run.err.hasPrefix("chiladmin: context 'production' is read-only: '\(sample.path)' was not begun\n")
                )
            }
        }
        let (_, settings) = await settings("tenant list --context production", home)
        #expect(
            try settings?.requireDatabaseURL()
                == "postgresql://chil_operator@db.example/chil?options=%2dc%20default%5ftransaction%5fread%5fonly%3don"
        )
        #expect(settings?.keyFile == "/keys/production")
    }

    @Test func itsNameIsShownBeforeAChange() async throws {
        let home = Home()
        defer { home.remove() }
        try home.write(Self.text)
        #expect(await settings("tenant suspend chillin", home).0.err.hasPrefix("context staging\n"))
        #expect(await settings("tenant list", home).0.err.isEmpty)
    }

    @Test(arguments: [
        ("[a", "line 1: a name in brackets is"), ("database = x", "line 1: unknown 'database'"),
        ("[a]\ndatabase = x\n[a]\ndatabase = y", "line 3: 'a' is there twice"), ("[a]", "line 1: 'a' has no database"),
        ("[a]\ndatabase = x\nread-olny = yes", "line 3: unknown 'read-olny'; did you mean read-only?"),
        ("[a]\ndatabase = x\nread-only = maybe", "line 1: read-only is yes or no"),
        ("[a]\ndatabase = x\ncolor = beige", "line 1: color is one of"), ("[a]\nnothing", "line 2: '=' is missing"),
        ("[a]\ndatabase = postgresql://u:secret@h/d", "line 1: a: there is a password in the address"),
        ("[a]\ndatabase = host=h password=secret", "line 1: a: there is a password in the address"),
        ("[a]\ndatabase = postgresql://h:x:y/", "line 1: a: the address"), ("current = /", "line 1: current is"),
        ("current = gone", "no context 'gone'"),
    ])
    func brokenFilesAreRefused(_ text: String, _ said: String) async throws {
        let home = Home()
        defer { home.remove() }
        try home.write(text)
        let (run, settings) = await settings("tenant list", home)
        #expect(run.status == (said.hasPrefix("no") ? .notFound : .configuration))
        #expect(run.err.contains(said), "\(run.err)")
        #expect(!run.err.contains("secret"))
        #expect(settings == nil)
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o610])
    func aFileThatOthersMayReadIsRefused(_ mode: Int) async throws {
        let home = Home()
        defer { home.remove() }
        try home.write(Self.text, mode: mode)
        let (run, _) = await settings("tenant list", home)
        #expect(run.status == .configuration)
        #expect(run.err.contains("may be read by others\nchmod 600 it"))
    }

    @Test func bothAtOnceAreRefused() async throws {
        let home = Home()
        defer { home.remove() }
        try home.write(Self.text)
        #expect(await settings("tenant list --context staging --database-url x", home).0.status == .usage)
        let (run, _) = await settings("tenant list", home, ["CHIL_CONTEXT": "staging", "CHIL_DATABASE_URL": "x"])
        #expect(run.status == .configuration)
        #expect(await settings("tenant list --context stagign", home).0.err.hasSuffix("Did you mean staging?\n"))
    }

    @Test func theCommandsKeepTheRestOfTheFile() async throws {
        let home = Home()
        defer { home.remove() }
        func run(_ line: String) async -> Run {
            let console = RecordingConsole()
            return await Run(
                line.split(separator: " ").map(String.init),
                console: console,
                environment: ["XDG_CONFIG_HOME": home.path]
            ) { LiveServices(settings: $0, talk: console.talk) }
        }
        #expect(await run("context list").err == "No context: `chiladmin context add NAME --database URL`.\n")
        #expect(await run("context add one --database service=one --use").status == .success)
        let status = try FileManager.default.attributesOfItem(atPath: home.file)
        #expect((status[.posixPermissions] as? Int) == 0o600)
        try home.write("# mine\n" + String(contentsOfFile: home.file, encoding: .utf8))
        #expect(await run("context add two --database postgresql://h/d --read-only --color red").status == .success)
        #expect(await run("context add two --database x").status == .dataRefused)
        #expect(await run("context use two").status == .success)
        #expect(await run("context show --field context").out == "two\n")
        #expect(await run("context list -o name").out == "one\ntwo\n")
        #expect(
            try String(contentsOfFile: home.file, encoding: .utf8) == """
                # mine
                current = two

                [one]
                database = service=one

                [two]
                database = postgresql://h/d
                read-only = yes
                color = red

                """
        )
        #expect(await run("context remove two").status == .success)
        #expect(await run("context remove two").status == .notFound)
        #expect(
            try String(contentsOfFile: home.file, encoding: .utf8) == "# mine\n\n[one]\ndatabase = service=one\n"
        )
        let secret = await run("context add three --database postgresql://u:secret@h/d")
        #expect(secret.status == .usage)
        #expect(!secret.err.contains("secret@"))
    }

    @Test(arguments: [
        ("postgresql://h/d", "postgresql://h/d?options=%2dc%20default%5ftransaction%5fread%5fonly%3don"),
        (
            "postgresql://h/d?sslmode=require&options=-c%20a%3Db",
            "postgresql://h/d?sslmode=require&options=-c%20a%3Db&options=%2dc%20a%3db%20%2dc%20default%5ftransaction%5fread%5fonly%3don"
        ),
        ("service=chil", "service=chil options='-c default_transaction_read_only=on'"),
        ("chil", "dbname=chil options='-c default_transaction_read_only=on'"),
    ])
    func addressesThatReadOnly(_ url: String, _ text: String) {
        #expect(DatabaseAddress(url).readingOnly == text)
        #expect(DatabaseAddress(text).fault == nil)
    }
}
