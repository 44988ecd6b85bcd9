import ChilTestSupport
import Foundation

/// `openssl s_client` to a port of this machine, with one request: what it showed of the connection, and what came back.
struct OpenSSLClient {
    let text: String
    let status: Int32

    /// - Parameter request: sent once the handshake is done; the answer has to end the connection.
    init(_ port: UInt16, _ options: [String] = [], _ request: String = Self.request) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments =
            ["s_client", "-connect", "127.0.0.1:\(port)"] + options
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        // Its input stays open until it has ended: it would hang up with the request on its way.
        input.fileHandleForWriting.write(Data(request.utf8))
        text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try? input.fileHandleForWriting.close()
        status = process.terminationStatus
    }

    static let request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    var isAnswered: Bool { text.contains("HTTP/1.1 200 OK") && text.contains("hello") }
}
