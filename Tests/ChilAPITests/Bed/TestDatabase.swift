import ChilCore
import ChilDatabase
import ChilTestSupport
import Foundation

/// A database of its own in the cluster that `scripts/test` starts, or in another.
struct TestDatabase: Sendable {
    private static let made = Locked(0)

    private let administrator: String
    private let name: String
    /// It is a copy of one that the migrations have been run on.
    let isMigrated: Bool

    /// - Parameter cluster: an administrator's address; `nil`: the cluster of `scripts/test`.
    init(in cluster: String?) async throws {
        administrator = try cluster ?? TestCluster.administratorURL()
        isMigrated = cluster == nil
        if isMigrated {
            name = try await TestCluster.makeMigratedDatabase("chil_api")
            return
        }
        let number = Self.made.withLock { made in
            made += 1
            return made
        }
        name = "chil_api_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
        try await DatabaseScript(url: administrator).runScript("create database \(name)")
    }

    func drop() async throws {
        try await DatabaseScript(url: administrator).runScript("drop database if exists \(name) with (force)")
    }

    /// The same through something on this machine that listens on a port, without encryption.
    func url(_ role: String?, throughPort port: UInt16) throws -> String {
        guard var parts = URLComponents(string: url(role)) else {
            throw Program.Failure(description: "no URI: run the tests by scripts/test")
        }
        parts.host = "127.0.0.1"
        parts.port = Int(port)
        parts.queryItems = (parts.queryItems ?? []).filter { !["host", "port"].contains($0.name) }
        parts.queryItems?.append(URLQueryItem(name: "sslmode", value: "disable"))
        return parts.string ?? ""
    }

    /// Where a role finds it; `nil`: the administrator.
    func url(_ role: String?) -> String {
        TestCluster.url(database: name, role: role, of: administrator)
    }
}
