import ChilCore
import ChilDatabase
import ChilTestSupport
import Foundation

/// A database of its own in the cluster that `scripts/test` starts, or in another.
struct TestDatabase: Sendable {
    private static let made = Locked(0)

    private let administrator: String
    private let name: String

    /// - Parameter cluster: an administrator's address; `nil`: the cluster of `scripts/test`.
    init(in cluster: String?) async throws {
        administrator = try cluster ?? TestCluster.administratorURL()
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

    /// Where a role finds it; `nil`: the administrator.
    func url(_ role: String?) -> String {
        TestCluster.url(database: name, role: role, of: administrator)
    }
}
