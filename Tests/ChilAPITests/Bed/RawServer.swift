import ChilCore
import Foundation

/// A server that answers every connection by a script, byte for byte and as slowly as told, and counts them.
final class RawServer: Sendable {
    /// What is sent once a request's head has come: bytes, each after a pause.
    struct Script: Sendable {
        var pieces: [(pause: Duration, bytes: [UInt8])]

        static func bytes(_ text: String) -> Script { Script(pieces: [(.zero, Array(text.utf8))]) }

        static func answer(_ status: String, _ fields: [String] = [], _ body: [UInt8] = []) -> Script {
            let lines = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.count)", "", ""]
            return Script(pieces: [(.zero, Array(lines.joined(separator: "\r\n").utf8) + body)])
        }

        static func json(_ body: [UInt8]) -> Script { answer("200 OK", ["Content-Type: application/json"], body) }
    }

    let port: UInt16
    private let descriptor: Int32
    private let script: Locked<Script>
    private let count = Locked(0)
    private let answered = Locked(0)
    private let isStopped = Locked(false)

    init(_ script: Script) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 128) == 0
                    ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard code == 0 else { throw Program.Failure(description: "no port: \(String(cString: strerror(errno)))") }
        port = UInt16(bigEndian: address.sin_port)
        self.script = Locked(script)
        Thread.detachNewThread { [self] in accept() }
    }

    var url: String { "http://127.0.0.1:\(port)" }
    /// Connections so far, whatever was asked.
    var connections: Int { count.withLock { $0 } }

    /// How many of them have had all of their answer.
    var answers: Int { answered.withLock { $0 } }

    func answer(with script: Script) { self.script.withLock { $0 = script } }

    /// From then on nobody listens.
    func stop() {
        isStopped.withLock { $0 = true }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let peer = Glibc.accept(descriptor, nil, nil)
            guard peer >= 0, !isStopped.withLock({ $0 }) else { break }
            count.withLock { $0 += 1 }
            let script = script.withLock { $0 }
            Thread.detachNewThread { [self] in
                if Self.serve(peer, script) { answered.withLock { $0 += 1 } }
            }
        }
        close(descriptor)
    }

    /// False: the peer did not stay for all of it.
    private static func serve(_ peer: Int32, _ script: Script) -> Bool {
        defer { close(peer) }
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(peer, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            head += buffer[..<count]
        }
        for piece in script.pieces {
            usleep(UInt32(piece.pause.wholeMicroseconds))
            var sent = 0
            while sent < piece.bytes.count {
                let count = piece.bytes.withUnsafeBytes {
                    send(peer, $0.baseAddress! + sent, piece.bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
        }
        return true
    }
}
