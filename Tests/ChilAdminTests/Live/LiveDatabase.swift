import ChilDatabase
import Foundation
import Testing

@testable import ChilAdmin

/// A database of its own in the cluster that `scripts/test` starts (`CHIL_TEST_DATABASE_URL`: an administrator's), with the
/// real services over it.
struct LiveDatabase {
    struct Missing: Error {}

    private let administrator: String
    private let name: String
    let keyFile: String

    init() async throws {
        guard let url = ProcessInfo.processInfo.environment["CHIL_TEST_DATABASE_URL"] else {
            Issue.record("CHIL_TEST_DATABASE_URL is not set: run the tests by scripts/test, which starts PostgreSQL")
            throw Missing()
        }
        administrator = url
        name = "chil_admin_\(ProcessInfo.processInfo.processIdentifier)"
        keyFile = FileManager.default.temporaryDirectory.appendingPathComponent("\(name).keys").path
        try Data("1:\(String(repeating: "0f", count: 32))\n".utf8).write(to: URL(fileURLWithPath: keyFile))
        try await DatabaseScript(url: url).runScript("drop database if exists \(name) with (force)")
        try await DatabaseScript(url: url).runScript("create database \(name)")
    }

    func remove() async throws {
        try FileManager.default.removeItem(atPath: keyFile)
        try await DatabaseScript(url: administrator).runScript("drop database if exists \(name) with (force)")
    }

    /// The address for a role; `nil`: the administrator. A connection string's later words win; a URI is taken apart.
    func url(role: String?) -> String {
        guard administrator.hasPrefix("postgres"), var parts = URLComponents(string: administrator) else {
            return administrator + " dbname=\(name)" + (role.map { " user=\($0)" } ?? "")
        }
        parts.path = "/" + name
        if let role { parts.user = role }
        return parts.string ?? administrator
    }

    /// One run of the program with the real services.
    func run(_ line: String, as role: String? = "chil_operator") async -> Run {
        let environment = ["CHIL_DATABASE_URL": url(role: role), "CHIL_KEY_FILE": keyFile, "CHIL_OPERATOR": "ann"]
        let console = RecordingConsole()
        return await Run(
            line.split(separator: " ").map(String.init),
            console: console,
            environment: environment
        ) { LiveServices(settings: $0, talk: console.talk) }
    }
}
