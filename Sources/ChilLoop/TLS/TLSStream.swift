import ChilCore
package import ChilCrypto

/// A TLS connection to a host, over a socket of a loop.
///
/// Not `Sendable`: it lives on the socket's loop. One task may receive while another sends. It owns the socket: `close()` it.
package final class TLSStream {
    package enum Outcome: Equatable, Sendable {
        /// This many bytes, at least one.
        case bytes(Int)
        /// The peer's `close_notify`: all it sent has been received.
        case ended
        /// The connection ended without `close_notify`: what was received may be cut short (RFC 8446 §6.1).
        case truncated
        case timedOut
        case failed(TLSStreamError)
    }

    private let stream: ByteStream
    private let session: TLSSession
    private let alarm: StreamAlarm
    /// Sealed bytes that the socket has not taken: `unsent[unsentStart...]`.
    private var unsent: [UInt8] = []
    private var unsentStart = 0
    /// Bytes read since the loop last did anything else.
    private var bytesThisTurn = 0
    /// Why `send` answered false.
    package private(set) var sendError: TLSStreamError?

    private init(_ stream: ByteStream, _ session: TLSSession) {
        self.stream = stream
        self.session = session
        alarm = StreamAlarm(for: stream)
    }

    /// Does the handshake as a client and verifies that the peer is `host`.
    ///
    /// - Parameters:
    ///   - stream: a connected socket; it is taken over, and closed when this throws.
    ///   - host: a DNS name or a numeric address without brackets.
    ///   - patience: for the handshake as a whole.
    package static func connect(
        over stream: ByteStream,
        _ context: TLSClientContext,
        host: String,
        within patience: Duration
    ) async throws(TLSStreamError) -> TLSStream {
        let loop = stream.loop
        let deadline = loop.monotonicNow + patience.wholeMicroseconds * 1_000
        let session: TLSSession
        do {
            session = try TLSSession(context, host: host, at: loop.wallClock)
        } catch {
            stream.close()
            throw .tls(error)
        }
        let connection = TLSStream(stream, session)
        if let error = await connection.handshake(until: deadline) {
            connection.close()
            throw error
        }
        return connection
    }

    /// `TLSv1.2` or `TLSv1.3`.
    package var protocolVersion: String { session.protocolVersion }

    /// Whom the peer claims to be.
    package var peerCertificate: PeerCertificate? { session.peerCertificate }

    /// - Parameters:
    ///   - buffer: at least one byte.
    ///   - deadline: monotonic nanoseconds, as `EventLoop.monotonicNow`.
    package func receive(into buffer: UnsafeMutableRawBufferPointer, deadline: Int64) async -> Outcome {
        while true {
            if stream.isClosed { return .failed(.interrupted) }
            let transfer = session.read(into: buffer)
            // An answer to a key update, or an alert: the peer waits for neither. What it sent counts even if this fails.
            _ = flushNow()
            guard session.outputBytesWaiting <= Self.answerBytesMax else {
                return .failed(.tls(TLSFault(code: .protocolBroken, detail: "more to answer than the host reads")))
            }
            switch transfer {
            case .done(let count): return .bytes(count)
            case .ended: return .ended
            case .failed(let fault): return .failed(.tls(fault))
            case .wouldBlock: break
            }
            switch await fill(until: deadline) {
            case .filled: continue
            case .ended: return .truncated
            case .failed(.timedOut): return .timedOut
            case .failed(let error): return .failed(error)
            }
        }
    }

    /// Sends all of `bytes`. After false (`sendError` says why) an unknown part was sent: close the stream.
    ///
    /// - Parameter deadline: monotonic nanoseconds, for the whole.
    package func send(_ bytes: [UInt8], deadline: Int64) async -> Bool {
        sendError = nil
        var start = 0
        while start < bytes.count {
            guard !stream.isClosed else { return refuse(.interrupted) }
            switch bytes.withUnsafeBytes({ session.write(UnsafeRawBufferPointer(rebasing: $0[start...])) }) {
            case .done(let count): start += count
            case .failed(let fault): return refuse(.tls(fault))
            // Only a renegotiation could ask for that, and none is allowed.
            case .wouldBlock, .ended: return refuse(.closedByPeer)
            }
            if let error = await flush(until: deadline) { return refuse(error) }
        }
        return true
    }

    /// Says goodbye (`close_notify`) as far as the socket takes it at once, and closes the socket.
    package func close() {
        guard !stream.isClosed else { return }
        session.close()
        _ = flushNow()
        alarm.disarm()
        stream.close()
    }

    private func refuse(_ error: TLSStreamError) -> Bool {
        sendError = error
        return false
    }

    private func handshake(until deadline: Int64) async -> TLSStreamError? {
        while true {
            let step = session.handshake()
            if case .failed(let fault) = step {
                // The alert tells the host's log what was wrong.
                _ = flushNow()
                return .tls(fault)
            }
            if let error = await flush(until: deadline) { return error }
            if step == .done { return nil }
            switch await fill(until: deadline) {
            case .filled: continue
            case .ended: return .closedByPeer
            case .failed(let error): return error
            }
        }
    }

    // MARK: The socket

    private enum Fill {
        case filled
        case ended
        case failed(TLSStreamError)
    }

    /// Waits for bytes and gives them to the session.
    private func fill(until deadline: Int64) async -> Fill {
        while true {
            // A peer that always has bytes ready, and be they empty records, may stop neither the loop nor its clock.
            if bytesThisTurn >= Self.bytesPerTurnMax {
                bytesThisTurn = 0
                await stream.loop.sleep(.zero)
                if stream.isClosed { return .failed(.interrupted) }
                guard stream.loop.monotonicNow < deadline else { return .failed(.timedOut) }
            }
            switch fillNow() {
            case .bytes(let count):
                bytesThisTurn += count
                return .filled
            case .ended: return .ended
            case .failed(let code): return .failed(.socket(code))
            case .wouldBlock: break
            }
            bytesThisTurn = 0
            switch await alarm.waitReadable(until: deadline) {
            case .ready: continue
            case .timedOut: return .failed(.timedOut)
            case .interrupted: return .failed(.interrupted)
            }
        }
    }

    private func fillNow() -> ByteStream.Outcome {
        withUnsafeTemporaryAllocation(byteCount: Self.readBytesMax, alignment: 16) { buffer in
            let outcome = stream.read(into: buffer)
            if case .bytes(let count) = outcome {
                session.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            return outcome
        }
    }

    /// Sends all output, waiting for the socket to take it.
    private func flush(until deadline: Int64) async -> TLSStreamError? {
        while true {
            if let error = flushNow() { return error }
            if unsent.isEmpty { return nil }
            switch await alarm.waitWritable(until: deadline) {
            case .ready: continue
            case .timedOut: return .timedOut
            case .interrupted: return .interrupted
            }
        }
    }

    /// Sends what the socket takes at once; the rest stays in `unsent`.
    private func flushNow() -> TLSStreamError? {
        while true {
            if unsentStart == unsent.count {
                unsent = session.takeOutput()
                unsentStart = 0
                if unsent.isEmpty { return nil }
            }
            let outcome = unsent.withUnsafeBytes { bytes in
                stream.write(
                    UnsafeRawBufferPointer(rebasing: bytes[unsentStart...]),
                    UnsafeRawBufferPointer(start: nil, count: 0)
                )
            }
            switch outcome {
            case .bytes(let count): unsentStart += count
            case .wouldBlock: return nil
            case .failed(let code): return .socket(code)
            case .ended: return .closedByPeer
            }
        }
    }

    /// A TLS record and its head (RFC 8446 §5.1).
    private static let readBytesMax = (16 << 10) + 5
    private static let bytesPerTurnMax = 256 << 10
    /// Answers to key updates that a peer asks for without reading them.
    private static let answerBytesMax = 64 << 10
}
