import Foundation
import Testing

/// Services beside those that the bed has: other replicas, others' settings. Whoever starts one ends it.
extension TestBed {
    func start(_ settings: [String: String] = [:], under launcher: [String] = []) throws -> Service {
        let log = folder.appendingPathComponent("chilapi-\(UUID()).log")
        let settings = self.settings.merging(["CHIL_LOOPS": "2"]) { $1 }.merging(settings) { $1 }
        return try Service(settings, log: log, under: launcher)
    }

    /// What all its services have said so far: either may have done the work.
    func logs() throws -> String {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let logs = files.filter { $0.lastPathComponent.hasPrefix("chilapi") && $0.pathExtension == "log" }
        try #require(!logs.isEmpty)
        return try logs.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }

    /// Runs `body` with as many replicas, and ends them well.
    func withReplicas<Value>(
        _ count: Int,
        _ settings: [String: String] = [:],
        _ body: ([Service]) throws -> Value
    ) throws -> Value {
        let services = try (0..<count).map { _ in try start(settings) }
        defer { for service in services { service.program.signal(SIGKILL) } }
        let value = try body(services)
        for service in services { _ = try service.stop() }
        return value
    }

    /// A file of master keys: `(1, "5a")` is version 1, 32 bytes 0x5a.
    func makeKeyFile(_ keys: [(version: Int, byte: String)]) throws -> String {
        let path = folder.appendingPathComponent("master-\(UUID()).key").path
        let text = keys.map { "\($0.version):\(String(repeating: $0.byte, count: 32))\n" }.joined()
        let isMade = FileManager.default.createFile(
            atPath: path,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard isMade else { throw Program.Failure(description: "no file \(path)") }
        return path
    }
}
