import ChilCore
import Foundation

/// The administrator of the database: moves rows through time, and looks at what is stored.
extension TestBed {
    private static let binaries = "/usr/lib/postgresql/15/bin"

    /// What psql(1) prints, a row a line, columns parted by `|`.
    @discardableResult
    func query(_ sql: String) throws -> [String] {
        let text = try tool("psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, database.url(nil)])
        return text.split(separator: "\n").map(String.init)
    }

    /// What psql(1) says to a script of somebody's, errors by their SQLSTATE among it: it goes on after them.
    func psql(_ script: String, _ address: String) throws -> String {
        let file = folder.appendingPathComponent("script-\(UUID()).sql")
        try script.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try tool("psql", ["-X", "-A", "-t", "-v", "VERBOSITY=sqlstate", "-f", file.path, address])
    }

    /// The whole database as text, as pg_dump(1) writes it.
    func dump() throws -> String {
        try tool("pg_dump", ["--no-owner", database.url(nil)])
    }

    private func tool(_ name: String, _ arguments: [String]) throws -> String {
        let output = folder.appendingPathComponent("\(name)-\(UUID()).txt")
        defer { try? FileManager.default.removeItem(at: output) }
        let program = try Program("\(Self.binaries)/\(name)", arguments, output: output)
        let status = try program.wait(atMost: .seconds(60))
        guard status == 0 else { throw Program.Failure(description: "\(name): \(status): \(program.text)") }
        return program.text
    }
}
