import ChilCore
import ChilTestSupport
import Foundation
import Glibc

/// Answers every connection with the same bytes, whatever was asked, and keeps what was asked. On threads of its own.
final class ScriptedProvider: Sendable {
    enum Ending: Sendable {
        /// Closes after the answer.
        case close
        /// Keeps the connection open and says no more.
        case silence
        /// Sends a byte of the answer every 50 ms.
        case drip
    }

    let port: UInt16
    private let descriptor: Int32
    private let asked = Locked<[String]>([])

    init(_ answer: String, _ ending: Ending = .close) throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, length) == 0 && listen(listening, 16) == 0
                    && getsockname(listening, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        descriptor = listening
        port = UInt16(bigEndian: address.sin_port)
        let asked = asked
        Thread.detachNewThread {
            while true {
                let connection = accept(listening, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { Self.serve(connection, Array(answer.utf8), ending, asked) }
            }
        }
    }

    deinit {
        stop()
    }

    var authority: String { "127.0.0.1:\(port)" }
    var url: String { "http://\(authority)" }

    /// Whole requests, head and body.
    var requests: [String] { asked.withLock { $0 } }

    func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static func serve(_ connection: Int32, _ answer: [UInt8], _ ending: Ending, _ asked: Locked<[String]>) {
        defer { close(connection) }
        var patience = timeval(tv_sec: 10 * Patience.factor, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        asked.withLock { $0.append(request(from: connection)) }
        let piece = ending == .drip ? 1 : answer.count
        var sent = 0
        while sent < answer.count {
            let count = answer.withUnsafeBytes {
                send(connection, $0.baseAddress! + sent, min(piece, $0.count - sent), Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
            if ending == .drip { usleep(50_000) }
        }
        guard ending == .silence else { return }
        // Until the client has had enough.
        var byte: UInt8 = 0
        _ = recv(connection, &byte, 1, 0)
    }

    private static func request(from connection: Int32) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let head = text[..<end.lowerBound].lowercased()
            let length = head.range(of: "content-length: ").flatMap {
                Int(head[$0.upperBound...].prefix { $0.isNumber })
            }
            if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
        }
    }
}
