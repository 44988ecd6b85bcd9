package import ChilCrypto
internal import Glibc

/// The server's side of TLS between a `ByteStream`'s socket and its user: what is read and written there stays plain.
///
/// Not `Sendable`: it lives on its stream's loop. It never waits: what the socket does not take is kept and tried again.
package final class StreamSeal {
    private let session: TLSSession
    /// Sealed bytes that the socket has not taken: `unsent[unsentStart...]`.
    private var unsent: [UInt8] = []
    private var unsentStart = 0
    /// Plain bytes of a `write` whose sealed ones the socket has not all taken: the next `write` brings the same bytes again.
    private var promised = 0

    package init(_ session: TLSSession) {
        self.session = session
    }

    /// `TLSv1.2` or `TLSv1.3`, once the handshake is done.
    package var protocolVersion: String { session.protocolVersion }

    enum Step {
        case done
        case wouldBlock
        case failed
    }

    func handshake(over stream: ByteStream) -> Step {
        for _ in 0..<Self.readsPerTurnMax {
            let step = session.handshake()
            // An alert tells the client what was wrong.
            let isSent = flush(over: stream)
            switch step {
            case .done: return .done
            case .failed: return .failed
            case .wouldBlock: break
            }
            if isSent == .failed { return .failed }
            switch fill(from: stream) {
            case .bytes: continue
            case .wouldBlock: return .wouldBlock
            case .ended, .failed: return .failed
            }
        }
        return .failed
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, over stream: ByteStream) -> ByteStream.Outcome {
        for _ in 0..<Self.readsPerTurnMax {
            let transfer = session.read(into: buffer)
            // An answer to a key update, or an alert. What came counts even if this fails.
            _ = flush(over: stream)
            guard session.outputBytesWaiting + unsent.count - unsentStart <= Self.answerBytesMax else {
                return .failed(EPROTO)
            }
            switch transfer {
            case .done(let count): return .bytes(count)
            case .ended: return .ended
            case .failed: return .failed(EPROTO)
            case .wouldBlock: break
            }
            switch fill(from: stream) {
            case .bytes: continue
            case let outcome: return outcome
            }
        }
        // Records without a byte for us, as many as its network carries.
        return .failed(EPROTO)
    }

    /// After `.wouldBlock` the next call brings the same bytes, perhaps with more behind them.
    func write(
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer,
        over stream: ByteStream
    ) -> ByteStream.Outcome {
        if promised == 0 {
            for piece in [first, second] {
                var start = 0
                while start < piece.count, promised < Self.sealedAtOnceMax {
                    guard case .done(let count) = session.write(UnsafeRawBufferPointer(rebasing: piece[start...]))
                    else {
                        return .failed(EPROTO)
                    }
                    start += count
                    promised += count
                }
                if start < piece.count { break }
            }
        }
        switch flush(over: stream) {
        case .done:
            defer { promised = 0 }
            return .bytes(promised)
        case .wouldBlock: return .wouldBlock
        case .failed: return .failed(EPIPE)
        }
    }

    /// Says goodbye (`close_notify`) as far as the socket takes it at once.
    func end(over stream: ByteStream) {
        session.close()
        _ = flush(over: stream)
    }

    /// Sends what the socket takes at once.
    func flush(over stream: ByteStream) -> Step {
        while true {
            if unsentStart == unsent.count {
                unsentStart = 0
                // An idle connection keeps nothing.
                unsent = session.outputBytesWaiting > 0 ? session.takeOutput() : []
                if unsent.isEmpty { return .done }
            }
            let outcome = unsent.withUnsafeBytes { bytes in
                stream.writeSocket(
                    UnsafeRawBufferPointer(rebasing: bytes[unsentStart...]),
                    UnsafeRawBufferPointer(start: nil, count: 0)
                )
            }
            switch outcome {
            case .bytes(let count): unsentStart += count
            case .wouldBlock: return .wouldBlock
            case .ended, .failed: return .failed
            }
        }
    }

    private func fill(from stream: ByteStream) -> ByteStream.Outcome {
        withUnsafeTemporaryAllocation(byteCount: Self.readBytesMax, alignment: 16) { buffer in
            let outcome = stream.readSocket(into: buffer)
            if case .bytes(let count) = outcome {
                session.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            return outcome
        }
    }

    /// A TLS record and its head (RFC 8446 §5.1).
    private static let readBytesMax = (16 << 10) + 5
    /// Reads of the socket that bring the user nothing, one after another.
    private static let readsPerTurnMax = 64
    private static let sealedAtOnceMax = 32 << 10
    /// Answers to key updates that a client asks for without reading them.
    private static let answerBytesMax = 512 << 10
}
