import ChilDatabase
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// The built program, ended by a signal at any moment: what it was about has happened whole, or not at all.
@Suite struct LiveSignalTests {
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("chiladmin")

    private func process(_ live: LiveDatabase, _ words: [String]) throws -> Process {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = words
        process.environment = [
            "CHIL_DATABASE_URL": live.url(role: "chil_operator"), "CHIL_KEY_FILE": live.keyFile, "CHIL_OPERATOR": "ann",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func zoneAndIdle(_ live: LiveDatabase) async throws -> String {
        let text = await live.run("tenant show chillin -o json").out
        let members = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return "\(members?["timeZone"] ?? "?") \(members?["sessionIdle"] ?? "?") \(members?["guest"] ?? "?")"
    }

    @Test func aSignalLeavesNothingHalfDone() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        let words = "tenant update chillin --time-zone Asia/Seoul --session-idle 14d --guest on".split(separator: " ")
            .map(String.init)
        for (number, signal) in [SIGINT, SIGTERM, SIGKILL, SIGINT, SIGTERM, SIGINT, SIGINT, SIGTERM].enumerated() {
            let process = try process(live, words)
            try await Task.sleep(for: .milliseconds(20 * number))
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            let state = try await zoneAndIdle(live)
            #expect(["UTC 30d 0", "Asia/Seoul 14d 1"].contains(state), "\(number): \(state)")
            if process.terminationReason == .uncaughtSignal { #expect(process.terminationStatus == signal) }
            #expect(
                await live.run("tenant update chillin --time-zone UTC --session-idle 30d --guest off").status
                    == .success
            )
        }

        // In the middle for certain: the guest's row waits for a lock, and the zone and the lives were written before.
        async let locked: Void = live.script(
            """
            begin; lock table app_user in access exclusive mode;
            \(SQLGate.wait)
            commit;
            """
        )
        let process = try process(live, words)
        #expect(
            try await awaitUntil(.seconds(20)) {
                try await withDatabase(live.url(role: nil)) { try await $0.run(Waiting(), .read, of: nil) == [true] }
            }
        )
        kill(process.processIdentifier, SIGINT)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
        try await live.script(SQLGate.open)
        try await locked
        #expect(try await zoneAndIdle(live) == "UTC 30d 0")
        try await live.remove()
    }

    /// A tenant's file with a dozen changes, killed behind the ninth: its zone, lives, limits and printers were written before.
    @Test(arguments: [SIGKILL, SIGINT])
    func aFileIsAppliedWholeOrNotAtAll(_ signal: Int32) async throws {
        let live = try await LiveDatabase()
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("chil-apply-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = #"""
            {"slug": "chillin", "name": "아틀리에", "timeZone": "Asia/Seoul", "sessions": {"idle": "14d", "absolute": "60d", "max": 3},
             "guest": {"served": true, "printsPerDay": 7}, "retention": {"audit": "forever"},
             "quotas": [{"metric": "drawings", "limit": 5}], "limits": [{"scope": "user", "class": "read", "count": 9}],
             "printers": [{"name": "hall", "uri": "ipp://127.0.0.1:9/ipp/print", "default": true}]}
            """#
        try Data(file.utf8).write(to: URL(fileURLWithPath: path))
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        let before = await live.run("tenant export chillin").out
        // Printers come last.
        async let locked: Void = live.script(
            """
            begin; lock table printer in access exclusive mode;
            do $$ begin
                while not exists (select from pg_locks where relation = 'printer'::regclass and not granted) loop
                    perform pg_sleep(0.02); end loop;
                perform pg_sleep(0.5);
            end $$;
            commit;
            """
        )
        let process = try process(live, ["tenant", "apply", "--file", path])
        let question = WaitingFor(table: "printer")
        #expect(
            try await awaitUntil(.seconds(20)) {
                try await withDatabase(live.url(role: nil)) { try await $0.run(question, .read, of: nil) == [true] }
            }
        )
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        try await locked
        #expect(await live.run("tenant export chillin").out == before)
        let whole = await live.run("tenant apply -f \(path)")
        #expect(whole.status == .success, "\(whole.err)")
        #expect(await live.run("tenant apply -f \(path)").err.contains("Nothing to change."))
        try await live.remove()
    }
}

private struct WaitingFor: Statement {
    static let sql = SQL("select exists (select from pg_locks where relation = $1::text::regclass and not granted)")
    let table: String
    func bind(_ values: inout BoundValues) { values.append(table) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}

private struct Waiting: Statement {
    static let sql = SQL("select exists (select from pg_locks where relation = 'app_user'::regclass and not granted)")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
