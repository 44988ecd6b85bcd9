import ChilDatabase
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// A database of its own in the cluster that `scripts/test` starts (`CHIL_TEST_DATABASE_URL`: an administrator's), with the
/// real services over it.
struct LiveDatabase {
    private let name: String
    let keyFile: String

    init() async throws {
        name = try await TestCluster.makeDatabase("chil_admin")
        keyFile = FileManager.default.temporaryDirectory.appendingPathComponent("\(name).keys").path
        try setKeys("1:\(String(repeating: "0f", count: 32))\n")
    }

    /// Writes the key file anew, as its owner's alone.
    func setKeys(_ lines: String, mode: Int = 0o600) throws {
        try Data(lines.utf8).write(to: URL(fileURLWithPath: keyFile))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: keyFile)
    }

    func remove() async throws {
        try FileManager.default.removeItem(atPath: keyFile)
        try await TestCluster.dropDatabase(name)
    }

    /// The address for a role; `nil`: the administrator.
    func url(role: String?) -> String {
        // `init` has seen that there is a cluster.
        (try? TestCluster.url(database: name, role: role)) ?? ""
    }

    /// One run of the program with the real services.
    func run(_ line: String, as role: String? = "chil_operator", publicURL: String? = nil) async -> Run {
        await run(line.split(separator: " ").map(String.init), as: role, publicURL: publicURL)
    }

    func run(
        _ words: [String],
        as role: String? = "chil_operator",
        publicURL: String? = nil,
        console: RecordingConsole = RecordingConsole(),
        terminal: FakeTerminal = FakeTerminal(nil)
    ) async -> Run {
        var environment = ["CHIL_DATABASE_URL": url(role: role), "CHIL_KEY_FILE": keyFile, "CHIL_OPERATOR": "ann"]
        environment["CHIL_PUBLIC_URL"] = publicURL
        environment["NO_COLOR"] = "1"
        return await Run(
            words,
            console: console,
            environment: environment,
            terminal: terminal
        ) { LiveServices(settings: $0, talk: console.talk) }
    }

    /// Asks the database itself, as the operator's role.
    func withOperator<Value>(_ body: (SharedDatabase) async throws -> Value) async throws -> Value {
        try await withDatabase(url(role: "chil_operator"), body)
    }

    /// Runs a text of statements as the administrator.
    func script(_ sql: String) async throws {
        try await DatabaseScript(url: url(role: nil)).runScript(sql)
    }

    /// Seals all that is written, at once.
    func sealAudit() async throws {
        try await script(
            """
            do $$ declare t record; begin
                for t in select tenant_id from tenant loop
                    perform set_config('chil.tenant', t.tenant_id::text, true);
                    perform chil_seal_audit(t.tenant_id, 10000000);
                end loop;
            end $$
            """
        )
    }
}
