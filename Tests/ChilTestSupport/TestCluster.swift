import ChilDatabase
import ChilStore
import Foundation
import Synchronization

/// The private cluster that `scripts/test` starts (`CHIL_TEST_DATABASE_URL`: an administrator's address).
package enum TestCluster {
    package struct Missing: Error, CustomStringConvertible {
        package var description: String {
            "CHIL_TEST_DATABASE_URL is not set: run the tests by scripts/test, which starts PostgreSQL"
        }
    }

    /// Throws when there is none: tests that need PostgreSQL are never skipped in silence.
    package static func administratorURL() throws -> String {
        guard let url = ProcessInfo.processInfo.environment["CHIL_TEST_DATABASE_URL"] else {
            throw Missing()
        }
        return url
    }

    /// The same cluster as another role, in another database.
    package static func url(database: String, role: String? = nil) throws -> String {
        url(database: database, role: role, of: try administratorURL())
    }

    /// As another role, in another database of that administrator's cluster. A connection string's later words win; in a URI the
    /// query would.
    package static func url(database: String, role: String? = nil, of administrator: String) -> String {
        guard administrator.hasPrefix("postgres"), var parts = URLComponents(string: administrator) else {
            return administrator + " dbname=\(database)" + (role.map { " user=\($0)" } ?? "")
        }
        var items = (parts.queryItems ?? []).filter { $0.name != "dbname" }
        if let role {
            items.removeAll { $0.name == "user" || $0.name == "password" }
            parts.user = nil
            parts.password = nil
            items.append(URLQueryItem(name: "user", value: role))
        }
        parts.queryItems = items
        parts.path = "/" + database
        return parts.string ?? administrator
    }

    private static let made = Atomic<Int>(0)

    /// A new, empty database.
    package static func makeDatabase(_ prefix: String) async throws -> String {
        try await makeDatabase(prefix, template: "template1")
    }

    private static func makeDatabase(_ prefix: String, template: String) async throws -> String {
        let number = made.wrappingAdd(1, ordering: .relaxed).newValue
        let name = "\(prefix)_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
        let script = DatabaseScript(url: try administratorURL())
        try await script.runScript("drop database if exists \(name) with (force)")
        try await script.runScript("create database \(name) template \(template)")
        return name
    }

    /// A new database with the migrations, which are run once: it is a copy.
    package static func makeMigratedDatabase(_ prefix: String) async throws -> String {
        let template = try await migrated.value
        return try await makeDatabase(prefix, template: template)
    }

    private static let migrated = Task {
        let name = try await makeDatabase("chil_migrated")
        _ = try await SchemaMigrator(scripts: DatabaseScript(url: url(database: name))).migrate()
        return name
    }

    package static func dropDatabase(_ name: String) async throws {
        try await DatabaseScript(url: try administratorURL()).runScript("drop database if exists \(name) with (force)")
    }
}
