import ChilCore
import ChilCrypto
import ChilLoop
import Glibc

/// An outbound connection, in the clear or by TLS, with a deadline for what is done on it. Not `Sendable`.
struct ClientStream {
    enum Received {
        case bytes(Int)
        /// The peer has said that this was all.
        case ended
        /// The connection is gone without that word: by TLS a sign that something was cut off.
        case cutOff
        case timedOut
    }

    private enum Transport {
        case plain(ByteStream, StreamAlarm)
        case secure(TLSStream)
    }

    private let transport: Transport
    var deadline: Int64
    /// What the peer showed, if it was asked with a pin.
    private(set) var certificate: PeerCertificate?

    /// - Parameters:
    ///   - host: the name that the peer's certificate must have; `nil`: no TLS.
    ///   - deadline: monotonic nanoseconds.
    init(
        _ stream: ByteStream,
        securedFor host: String?,
        _ trust: PeerTrust = .authorities,
        patience: Duration,
        deadline: Int64
    ) async throws(ClientFailure) {
        self.deadline = deadline
        guard let host else {
            transport = .plain(stream, StreamAlarm(for: stream))
            return
        }
        let secure: TLSStream
        do {
            let context = try (trust == .authorities ? Self.context : Self.lenientContext).get()
            secure = try await TLSStream.connect(over: stream, context, host: host, within: patience)
        } catch {
            stream.close()
            throw ClientFailure(.tls, "\(error)")
        }
        transport = .secure(secure)
        guard case .pinned(let pin) = trust else { return }
        guard let shown = secure.peerCertificate else {
            secure.close()
            throw ClientFailure(.tls, "the host shows no certificate that can be read")
        }
        let refusal: ClientFailure.Code
        switch PeerPin.verdict(on: shown, pinned: pin, at: stream.loop.wallClock) {
        case .trusted:
            certificate = shown
            return
        case .unknown: refusal = .certificateUnknown
        case .changed: refusal = .certificateChanged
        case .expired: refusal = .certificateExpired
        }
        secure.close()
        throw ClientFailure(refusal, PeerPin.text(of: shown.keyDigest), certificate: shown)
    }

    /// False: the peer takes no more. It may have answered without reading on: its answer, if any, is read next.
    @discardableResult
    func send(_ bytes: [UInt8]) async throws(ClientFailure) -> Bool {
        switch transport {
        case .secure(let stream):
            if await stream.send(bytes, deadline: deadline) { return true }
            throw ClientFailure(.timedOut, "\(stream.sendError.map { "\($0)" } ?? "not sent")", mayHaveArrived: true)
        case .plain(let stream, let alarm):
            var sent = 0
            while sent < bytes.count {
                let outcome = bytes.withUnsafeBytes {
                    stream.write(
                        UnsafeRawBufferPointer(rebasing: $0[sent...]),
                        UnsafeRawBufferPointer(start: nil, count: 0)
                    )
                }
                switch outcome {
                case .bytes(let count): sent += count
                case .wouldBlock:
                    guard await alarm.waitWritable(until: deadline) == .ready else {
                        throw ClientFailure(.timedOut, "the peer does not take the request", mayHaveArrived: true)
                    }
                case .ended, .failed: return false
                }
            }
            return true
        }
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) async -> Received {
        switch transport {
        case .secure(let stream):
            switch await stream.receive(into: buffer, deadline: deadline) {
            case .bytes(let count): return .bytes(count)
            case .ended: return .ended
            case .timedOut: return .timedOut
            case .truncated, .failed: return .cutOff
            }
        case .plain(let stream, let alarm):
            while true {
                switch stream.read(into: buffer) {
                case .bytes(let count): return .bytes(count)
                case .ended: return .ended
                case .failed: return .cutOff
                case .wouldBlock:
                    guard await alarm.waitReadable(until: deadline) == .ready else { return .timedOut }
                }
            }
        }
    }

    func close() {
        switch transport {
        case .plain(let stream, let alarm):
            alarm.disarm()
            stream.close()
        case .secure(let stream): stream.close()
        }
    }

    /// One for the process: the system's authorities, read once.
    private static let context = Result { try TLSClientContext() }
    /// For peers that are judged by their pin, here and before anything is sent.
    private static let lenientContext = Result { try TLSClientContext(callerJudges: true) }
}
