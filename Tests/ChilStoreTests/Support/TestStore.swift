import ChilDatabase
import ChilLoop
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// The database that most tests share, each with tenants of its own, made from the migrations once per run.
let sharedDatabaseName = Task { try await TestCluster.makeMigratedDatabase("chil_store") }

/// Clients for the roles of one database, on a loop of their own, in one segment form. Few connections: tests run side by side.
struct TestStore: Sendable {
    let service: SharedDatabase
    let operatorRole: SharedDatabase
    let administrator: SharedDatabase
    private let thread: LoopThread
    private let name: String

    private init(_ form: DatabaseConfiguration.SegmentForm, database name: String) throws {
        let thread = try LoopThread()
        func client(_ role: String?) throws -> SharedDatabase {
            var configuration = DatabaseConfiguration(forTestsAt: try TestCluster.url(database: name, role: role))
            configuration.form = form
            configuration.writeConnections = role == "chil_service" ? 2 : 1
            return SharedDatabase(configuration, on: thread.loop)
        }
        self.thread = thread
        self.name = name
        service = try client("chil_service")
        operatorRole = try client("chil_operator")
        administrator = try client(nil)
    }

    /// Runs `body` with the shared database.
    static func with(
        _ form: DatabaseConfiguration.SegmentForm = .implicit,
        _ body: (TestStore) async throws -> Void
    ) async throws {
        try await body(form == .implicit ? implicitStore.value : explicitStore.value)
    }

    /// With a second service beside the first, on the same database.
    static func withTwo(
        _ form: DatabaseConfiguration.SegmentForm = .implicit,
        _ body: (TestStore, TestStore) async throws -> Void
    ) async throws {
        try await with(form) { first in
            try await body(first, form == .implicit ? secondImplicitStore.value : secondExplicitStore.value)
        }
    }

    /// For what all tenants share, such as the queue.
    static func withOwnDatabase(
        _ form: DatabaseConfiguration.SegmentForm = .implicit,
        _ body: (TestStore) async throws -> Void
    ) async throws {
        let name = try await TestCluster.makeMigratedDatabase("chil_store")
        let store = try TestStore(form, database: name)
        let failure: (any Error)?
        do {
            try await body(store)
            failure = nil
        } catch {
            failure = error
        }
        for client in [store.service, store.operatorRole, store.administrator] { await client.close() }
        store.thread.loop.stop()
        if let failure { throw failure }
    }

    /// Runs a text of statements as the administrator.
    func script(_ sql: String) async throws {
        try await DatabaseScript(url: TestCluster.url(database: name)).runScript(sql)
    }

    func migrate() async throws -> [SchemaMigrator<DatabaseScript>.Step] {
        try await SchemaMigrator(scripts: DatabaseScript(url: TestCluster.url(database: name))).migrate()
    }

    private static let implicitStore = shared(.implicit)
    private static let explicitStore = shared(.explicit)
    private static let secondImplicitStore = shared(.implicit)
    private static let secondExplicitStore = shared(.explicit)

    /// On the shared database, open until the run ends.
    static func shared(_ form: DatabaseConfiguration.SegmentForm) -> Task<TestStore, any Error> {
        Task { try TestStore(form, database: try await sharedDatabaseName.value) }
    }
}
