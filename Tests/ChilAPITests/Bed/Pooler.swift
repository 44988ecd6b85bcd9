import ChilTestSupport
import Foundation
import Glibc

/// PgBouncer in transaction mode before a bed's database: Debian's 1.18, which knows nothing of sessions' prepared statements. As root it
/// runs as the user postgres: it refuses to be root.
final class Pooler: Sendable {
    let port: UInt16
    private let database: TestDatabase
    private let program: Program
    private let folder: URL

    /// The command of one that keeps sessions' prepared statements (1.21 or later), which Debian 12 has not: CHIL_TEST_PGBOUNCER, its words
    /// with spaces between.
    static let keepingStatements: [String]? = ProcessInfo.processInfo.environment["CHIL_TEST_PGBOUNCER"].flatMap {
        let words = $0.split(separator: " ").map(String.init)
        return words.isEmpty ? nil : words
    }

    /// - Parameters:
    ///   - command: `nil`: Debian's.
    ///   - connections: to the server, of each role.
    init(_ database: TestDatabase, _ command: [String]? = nil, connections: Int = 4, port: UInt16? = nil) throws {
        self.database = database
        folder = URL(fileURLWithPath: "/tmp/chil-pool-\(UInt32.random(in: 0...UInt32.max))")
        self.port = try port ?? Self.freePort()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        if getuid() == 0 {
            try FileManager.default.setAttributes([.ownerAccountName: "postgres"], ofItemAtPath: folder.path)
        }
        let items = URLComponents(string: database.url("chil_service"))?.queryItems ?? []
        guard let socket = items.first(where: { $0.name == "host" })?.value else {
            throw Program.Failure(description: "\(database) names no socket: run the tests by scripts/test")
        }
        let users = ["chil_service", "chil_operator", "postgres"].map { "\"\($0)\" \"\"\n" }.joined()
        let settings = """
            [databases]
            * = host=\(socket) port=5432
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(self.port)
            unix_socket_dir =
            auth_type = trust
            auth_file = \(folder.path)/users.txt
            pool_mode = transaction
            default_pool_size = \(connections)
            max_client_conn = 500
            query_wait_timeout = 10
            \(command == nil ? "" : "max_prepared_statements = 400")
            """
        let file = folder.appendingPathComponent("pgbouncer.ini")
        try settings.write(to: file, atomically: true, encoding: .utf8)
        try users.write(to: folder.appendingPathComponent("users.txt"), atomically: true, encoding: .utf8)
        for name in ["pgbouncer.ini", "users.txt"] {
            chmod(folder.appendingPathComponent(name).path, 0o644)
        }
        let asPostgres = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"]
        let words = (getuid() == 0 ? asPostgres : []) + (command ?? ["/usr/sbin/pgbouncer"]) + [file.path]
        let log = FileManager.default.temporaryDirectory.appendingPathComponent("chil-pool-\(UUID()).log")
        program = try Program(words[0], Array(words.dropFirst()), output: log)
        let port = self.port
        guard waitUntil(.seconds(10), { (try? Connection(to: port)) != nil }) else {
            program.signal(SIGKILL)
            throw Program.Failure(description: "no PgBouncer (scripts/test installs it): \(program.text)")
        }
    }

    func url(_ role: String?) throws -> String {
        try database.url(role, throughPort: port)
    }

    func stop() {
        program.signal(SIGTERM)
        program.signal(SIGKILL)
        _ = try? program.wait(atMost: .seconds(5))
        try? FileManager.default.removeItem(at: program.output)
        try? FileManager.default.removeItem(at: folder)
    }

    /// One that nobody listens on now.
    static func freePort() throws -> UInt16 {
        let server = try RawServer(.bytes(""))
        defer { server.stop() }
        return server.port
    }
}
