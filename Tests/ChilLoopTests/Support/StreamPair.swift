import ChilLoop
import ChilTestSupport
import Glibc

/// A stream on a loop and the other end as a bare descriptor.
enum StreamPair: CaseIterable, Sendable {
    case unix, tcp

    func make(on loop: EventLoop) async throws -> (stream: ByteStream, peer: Int32) {
        switch self {
        case .unix:
            var ends: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Failure(code: errno) }
            return (try ByteStream(takingOwnershipOf: ends[0], on: loop), ends[1])
        case .tcp:
            let listener = try Listener(on: .anyLoopbackPort)
            defer { listener.close() }
            let stream = try await ByteStream.connect(
                to: listener.address,
                within: Duration.seconds(1).patient,
                on: loop
            )
            guard case .connection(let peer, _) = listener.accept() else { throw Failure(code: errno) }
            return (stream, peer)
        }
    }

    struct Failure: Error { let code: Int32 }
}

extension SocketAddress {
    static let anyLoopbackPort = SocketAddress(family: .ipv4, octets: [127, 0, 0, 1], port: 0)
}

extension ByteStream {
    func readText(bytesMax: Int = 64) -> (Outcome, String) {
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let outcome = bytes.withUnsafeMutableBytes { read(into: $0) }
        guard case .bytes(let count) = outcome else { return (outcome, "") }
        return (outcome, String(decoding: bytes[..<count], as: UTF8.self))
    }

    func writeText(_ text: String) -> Outcome {
        Array(text.utf8).withUnsafeBytes { write($0, UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}
