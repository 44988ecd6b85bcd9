import ChilCore
import ChilPrint
import ChilPrintTestSupport
import ChilTestSupport
import Foundation

/// What real printers have in common: a folder of their own, programs that end with them, and a file with a line for each paper.
final class RealPrinter: Sendable {
    let port: UInt16
    let path: String
    let folder: URL
    private let parts = Locked<[Part]>([])

    /// `@unchecked Sendable`: started and ended by the printer alone, under its lock.
    private struct Part: @unchecked Sendable {
        let process: Process
    }

    init(_ name: String, on port: UInt16? = nil, path: String) throws {
        folder = URL(filePath: "/tmp/chil-\(name)-\(UUID().uuidString.prefix(8))")
        self.path = path
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        if let port {
            self.port = port
        } else {
            let (descriptor, free) = try PeerSocket.listen()
            close(descriptor)
            self.port = free
        }
    }

    deinit {
        stop()
    }

    func stop() {
        end()
        try? FileManager.default.removeItem(at: folder)
    }

    /// As if its power were cut.
    func end() {
        let parts = parts.withLock { parts in
            defer { parts = [] }
            return parts
        }
        for part in parts.reversed() where part.process.isRunning {
            kill(part.process.processIdentifier, SIGKILL)
            part.process.waitUntilExit()
        }
    }

    func make(folder name: String) throws {
        try FileManager.default.createDirectory(
            at: folder.appending(path: name),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
    }

    func write(_ text: String, to name: String, mode: Int = 0o644) throws {
        let place = folder.appending(path: name)
        try text.write(to: place, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.path)
    }

    func start(_ program: String, _ arguments: [String], _ more: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        parts.withLock { $0.append(Part(process: process)) }
    }

    func awaitListening() throws {
        let isUp = waitUntil(.seconds(10)) {
            guard let descriptor = PeerSocket.connect(to: self.port) else { return false }
            close(descriptor)
            return true
        }
        guard isUp else { throw PeerSocket.Failure(description: "nobody listens on \(port)") }
    }

    func papers(of job: String) -> Int {
        let text = (try? String(contentsOf: folder.appending(path: "papers"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.contains(job) }.count
    }

    /// Until it has nothing to print any more.
    func finish() async {
        await awaitUntil(.seconds(15)) { !hasPages }
    }

    private var hasPages: Bool {
        let states = ask(0x000A, [IPPAttribute("requested-attributes", .keyword("job-state"))])?
            .groups.filter { $0.kind == .job }.compactMap { $0.first("job-state")?.number }
        return (states ?? []).contains { $0 == 3 || $0 == 5 }
    }

    /// One operation by the house's codec, beside the driver: what a person at the printer does.
    @discardableResult
    func ask(_ operation: UInt16, _ attributes: [IPPAttribute] = []) -> IPPMessage? {
        let wanted = IPPMessage(
            version: .v2_0,
            code: operation,
            requestID: 1,
            groups: [
                IPPMessage.Group(
                    .operation,
                    [
                        IPPAttribute("attributes-charset", .charset("utf-8")),
                        IPPAttribute("attributes-natural-language", .naturalLanguage("en")),
                        IPPAttribute("printer-uri", .uri("ipp://localhost:\(port)\(path)")),
                        IPPAttribute("requesting-user-name", .name("root")),
                    ] + attributes
                )
            ]
        )
        guard let body = try? wanted.encoded() else { return nil }
        let head =
            "POST \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\nContent-Type: application/ipp\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        return exchange(Array(head.utf8) + body).flatMap { try? IPPMessage(decoding: Array($0.body)) }
    }

    /// A page of its web console.
    func get(_ target: String) {
        _ = exchange(Array("GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n".utf8))
    }

    private func exchange(_ bytes: [UInt8]) -> HTTPPiece? {
        guard let descriptor = PeerSocket.connect(to: port) else { return nil }
        defer { close(descriptor) }
        PeerSocket.send(bytes, to: descriptor)
        return PeerSocket.message(from: descriptor)
    }
}
