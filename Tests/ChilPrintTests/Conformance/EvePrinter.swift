import ChilCore
import ChilPrint
import ChilPrintTestSupport
import ChilTestSupport
import Foundation

/// A real `ippeveprinter` of cups-ipp-utils, with a system bus of its own, which it can't do without. Each job that it prints leaves a line
/// with its name in a file.
final class EvePrinter: PrinterBench {
    static let isHere = ["/usr/sbin/ippeveprinter", "/usr/bin/dbus-daemon"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let port: UInt16
    let path = "/ipp/print"
    let isReal = true
    private let folder: URL
    private let parts = Locked<[Part]>([])

    /// `@unchecked Sendable`: started and ended by the printer alone, under its lock.
    private struct Part: @unchecked Sendable {
        let process: Process
    }

    /// - Parameter keys: where its certificate lies; a fresh folder makes a fresh one.
    init(on port: UInt16? = nil, seconds: Double = 0.2) throws {
        folder = URL(filePath: "/tmp/chil-eve-\(UUID().uuidString.prefix(8))")
        for name in ["spool", "keys"] {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        if let port {
            self.port = port
        } else {
            let (descriptor, free) = try PeerSocket.listen()
            close(descriptor)
            self.port = free
        }
        let bus = folder.appending(path: "bus").path
        try """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><listen>unix:path=\(bus)</listen><auth>EXTERNAL</auth><policy context="default"><allow own="*"/>
        <allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>
        """.write(to: folder.appending(path: "bus.conf"), atomically: true, encoding: .utf8)
        let finish = folder.appending(path: "finish")
        try "#!/bin/sh\nsleep \(seconds)\necho \"$IPP_JOB_NAME\" >>'\(folder.path)/papers'\n"
            .write(to: finish, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: finish.path)
        try start(
            "/usr/bin/dbus-daemon",
            ["--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile", "--nosyslog"]
        )
        waitUntil(.seconds(10)) { FileManager.default.fileExists(atPath: bus) }
        try start(
            "/usr/sbin/ippeveprinter",
            [
                "-p", "\(self.port)", "-n", "localhost", "-r", "off", "-s", "10,5", "-f", "application/pdf,image/jpeg",
                "-d", "\(folder.path)/spool", "-K", "\(folder.path)/keys", "-c", finish.path, "ChilAPI tests",
            ],
            ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bus)"]
        )
        let isUp = waitUntil(.seconds(10)) {
            guard let descriptor = PeerSocket.connect(to: self.port) else { return false }
            close(descriptor)
            return true
        }
        guard isUp else { throw PeerSocket.Failure(description: "ippeveprinter does not listen") }
    }

    deinit {
        stop()
    }

    func stop() {
        let parts = parts.withLock { parts in
            defer { parts = [] }
            return parts
        }
        for part in parts.reversed() where part.process.isRunning {
            kill(part.process.processIdentifier, SIGKILL)
            part.process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private func start(_ program: String, _ arguments: [String], _ more: [String: String] = [:]) throws {
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

    func papers(of job: String) -> Int {
        let text = (try? String(contentsOf: folder.appending(path: "papers"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.contains(job) }.count
    }

    /// Until it has nothing to print any more.
    func finish() async {
        await awaitUntil(.seconds(15)) { !PrinterWord.hasPages(at: port, path) }
    }

    /// Paper in its trays, by the page that a person would use: 0, 5, 25, 50, 125 or 250 sheets.
    func setPaper(_ sheets: Int) {
        guard let descriptor = PeerSocket.connect(to: port) else { return }
        defer { close(descriptor) }
        // Both trays, and each with all of its form: what is left out it takes for none.
        let trays =
            "/media?"
            + ["1", "2"].map {
                "size\($0)=iso_a4_210x297mm&type\($0)=stationery&level\($0)=\(sheets)"
            }.joined(separator: "&")
        PeerSocket.send(
            Array("GET \(trays) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8),
            to: descriptor
        )
        _ = PeerSocket.message(from: descriptor)
    }
}
