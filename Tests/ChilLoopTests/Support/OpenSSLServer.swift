import ChilLoop
import ChilTestSupport
import Foundation

/// `openssl s_server` on a port of the kernel's choice.
final class OpenSSLServer: Sendable {
    struct Failure: Error { let what: String }

    let address: SocketAddress
    private let pid: pid_t
    private let process: ProcessBox

    /// - Parameter mode: `-rev` answers each line reversed, `-www` answers a request with a page and closes.
    init(_ name: TestCertificates.Name = .good, _ mode: String = "-rev", _ options: [String] = []) throws {
        let certificates = try TestCertificates.shared()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments =
            ["s_server", "-accept", "127.0.0.1:0", mode, "-cert", certificates.certificate(name)]
            + ["-key", certificates.key(name)] + options
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = ProcessBox(process: process, output: output)
        pid = process.processIdentifier
        var said = ""
        while true {
            let bytes = output.fileHandleForReading.availableData
            said += String(decoding: bytes, as: UTF8.self)
            if let match = said.firstMatch(of: /ACCEPT 127\.0\.0\.1:(\d+)\n/), let port = UInt16(match.1) {
                address = SocketAddress(family: .ipv4, octets: [127, 0, 0, 1], port: port)
                return
            }
            guard !bytes.isEmpty else { throw Failure(what: "s_server \(options) said: \(said)") }
        }
    }

    deinit {
        // Not waited for: that would block a thread of the pool until Foundation has noticed.
        kill(SIGKILL)
    }

    func kill(_ signal: Int32) {
        if process.process.isRunning { Foundation.kill(pid, signal) }
    }

    /// `@unchecked Sendable`: touched by the server's maker and by `deinit` only.
    private struct ProcessBox: @unchecked Sendable {
        let process: Process
        let output: Pipe
    }
}
