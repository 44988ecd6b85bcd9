import ChilTestSupport
import Foundation

/// A PostgreSQL of a test's own, to be killed: data directory, socket, no network. As root it runs as the user postgres.
final class Cluster: Sendable {
    private static let binaries = "/usr/lib/postgresql/15/bin"

    private let folder: URL
    private var data: String { folder.appendingPathComponent("data").path }

    /// Makes and starts it.
    init() throws {
        // A socket's address has 108 bytes (unix(7)): a short path, and one that the user postgres may enter.
        folder = URL(fileURLWithPath: "/tmp/chil-pg-\(UInt32.random(in: 0...UInt32.max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        if getuid() == 0 {
            try FileManager.default.setAttributes([.ownerAccountName: "postgres"], ofItemAtPath: folder.path)
        }
        do {
            try run(
                "initdb",
                "-D",
                data,
                "-U",
                "postgres",
                "-E",
                "UTF8",
                "--locale=C.UTF-8",
                "--auth=trust",
                "--no-sync"
            )
            let settings = """
                listen_addresses = ''
                unix_socket_directories = '\(folder.path)'
                shared_buffers = 16MB
                max_connections = 100
                """
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: data + "/postgresql.conf"))
            try file.seekToEnd()
            try file.write(contentsOf: Data(settings.utf8))
            try start()
        } catch {
            remove()
            throw error
        }
    }

    /// An administrator's.
    var url: String { "postgresql:///postgres?host=\(folder.path)&user=postgres" }

    /// Returns when connections are taken.
    func start() throws {
        try run("pg_ctl", "-D", data, "-l", folder.path + "/server.log", "-w", "-t", "30", "start")
        for process in processes { Keeper.shared.watch(process) }
    }

    /// kill -9 of the postmaster and all that it started, at once.
    func crash() throws {
        let killed = processes
        for process in killed { kill(process, SIGKILL) }
        guard waitUntil(.seconds(5), { processes.isEmpty }) else {
            throw Program.Failure(description: "processes of \(data) do not end")
        }
        for process in killed { Keeper.shared.release(process) }
        // The numbers in the lock files may be others' by now: PostgreSQL would refuse to start.
        for file in [data + "/postmaster.pid", folder.path + "/.s.PGSQL.5432", folder.path + "/.s.PGSQL.5432.lock"] {
            try? FileManager.default.removeItem(atPath: file)
        }
    }

    func remove() {
        try? crash()
        LogSecrets.check(folder)
        try? FileManager.default.removeItem(at: folder)
    }

    /// They alone have the data directory as their working directory.
    private var processes: [Int32] {
        let files = FileManager.default
        let numbers = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        return numbers.filter { number in
            (try? files.destinationOfSymbolicLink(atPath: "/proc/\(number)/cwd")) == data && !Self.isZombie(number)
        }
    }

    private static func isZombie(_ number: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else { return true }
        return stat[stat.lastIndex(of: ")")!...].hasPrefix(") Z")
    }

    private func run(_ name: String, _ arguments: String...) throws {
        let command = ["\(Self.binaries)/\(name)"] + arguments
        let asPostgres = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"]
        let words = (getuid() == 0 ? asPostgres : []) + command
        let log = FileManager.default.temporaryDirectory.appendingPathComponent("chil-\(name)-\(UUID()).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let program = try Program(words[0], Array(words.dropFirst()), output: log)
        let status = try program.wait(atMost: .seconds(60))
        guard status == 0 else { throw Program.Failure(description: "\(name): \(status): \(program.text)") }
    }
}
