import ChilCrypto
import ChilLoop
import ChilTestSupport

/// Runs `body` with a verified connection to the server.
func withTLS<Value: Sendable>(
    to server: OpenSSLServer,
    _ body: @Sendable (TLSStream, EventLoop, LoopHome) async throws -> Value
) async throws -> Value {
    let context = try TLSClientContext(extraAuthorities: try TestCertificates.shared().authority)
    return try await withLoop { loop, home in
        let socket = try await ByteStream.connect(to: server.address, within: Duration.seconds(1).patient, on: loop)
        let stream = try await TLSStream.connect(
            over: socket,
            context,
            host: "idp.test",
            within: Duration.seconds(2).patient
        )
        defer { stream.close() }
        return try await body(stream, loop, home)
    }
}

extension TLSStream {
    struct Received: Sendable {
        var bytes: [UInt8] = []
        /// `.bytes` with the whole count when all that was asked for has come.
        var outcome = Outcome.bytes(0)
    }

    func receiveAll(upTo countMax: Int, until deadline: Int64) async -> Received {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var received = Received()
        while received.bytes.count < countMax {
            let outcome = await receive(into: buffer, deadline: deadline)
            guard case .bytes(let count) = outcome else {
                received.outcome = outcome
                return received
            }
            received.bytes += buffer[..<count]
            received.outcome = .bytes(received.bytes.count)
        }
        return received
    }

    /// Sends a line to `s_server -rev` and gives its answer.
    func exchangeLine(_ line: String, until deadline: Int64) async -> String? {
        guard await send(Array("\(line)\n".utf8), deadline: deadline) else { return nil }
        let received = await receiveAll(upTo: line.utf8.count + 1, until: deadline)
        return String(decoding: received.bytes, as: UTF8.self)
    }
}
