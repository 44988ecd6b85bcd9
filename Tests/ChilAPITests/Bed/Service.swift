import ChilTestSupport
import Foundation

/// A running `chilapi`. Its port is the kernel's choice and read from its log.
final class Service: Sendable {
    /// The origin that it is told. Not where it listens: nothing may be taken from Host.
    static let publicURL = "https://api.example.test"

    let program: Program
    let port: UInt16

    /// - Parameter launcher: a command that becomes the program behind it; none: it starts by itself.
    init(_ environment: [String: String], log: URL, under launcher: [String] = [], untilReady: Bool = true) throws {
        let words = launcher + [Program.built("chilapi")]
        program = try Program(words[0], Array(words.dropFirst()), environment: environment, output: log)
        var port: UInt16?
        let isListening = waitUntil(.seconds(20)) { [program] in
            port = Self.port(in: program.text)
            return port != nil || !program.isRunning
        }
        guard isListening, let port else {
            program.signal(SIGKILL)
            throw Program.Failure(description: "chilapi does not listen: \(program.text)")
        }
        self.port = port
        guard untilReady else { return }
        let isReady = try waitUntil(.seconds(20)) { [port] in
            try Connection(to: port).send(Request("GET", "/readyz")).status == 200
        }
        guard isReady else { throw Program.Failure(description: "chilapi is not ready: \(program.text)") }
    }

    /// One request on a connection of its own.
    func send(_ request: Request) throws -> Answer {
        try Connection(to: port).send(request)
    }

    /// SIGTERM; the exit status.
    func stop() throws -> Int32 {
        program.signal(SIGTERM)
        return try program.wait(atMost: .seconds(35))
    }

    private static func port(in log: String) -> UInt16? {
        for line in log.split(separator: "\n") where line.contains("\"listening\"") {
            let fields = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let address = fields?["address"] as? String, let colon = address.lastIndex(of: ":") else { continue }
            return UInt16(address[address.index(after: colon)...])
        }
        return nil
    }
}
