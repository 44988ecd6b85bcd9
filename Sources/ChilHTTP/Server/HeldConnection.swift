import ChilCore
import ChilLoop

/// Takes a connection over once its answer's head is written: for answers that go on for hours, most of the time without a word. What a
/// request needs (its task, its head, its parser) is gone by then.
package protocol ConnectionHolder: AnyObject, Sendable {
    /// On the connection's loop.
    func hold(_ connection: HeldConnection)
}

/// The rest of a connection whose answer goes on: bytes out, and word of its end. Not `Sendable`.
///
/// It waits for nobody: what the socket does not take is kept, up to a limit, and tried again by `tick`.
package final class HeldConnection {
    private let stream: ByteStream
    private let isChunked: Bool
    private let patience: Duration
    private var unsent: [UInt8] = []
    /// Monotonic nanoseconds since which the client takes nothing; 0: it does.
    private var stuckSince: Int64 = 0
    private var isOver = false
    private let ended: () -> Void
    /// Called once, when it is over for whatever reason.
    package var gone: (() -> Void)?

    /// More that the client has not taken: it reads too slowly for what happens, or not at all.
    package static let unsentBytesMax = 256 << 10

    init(_ stream: ByteStream, isChunked: Bool, patience: Duration, ended: @escaping () -> Void) {
        self.stream = stream
        self.isChunked = isChunked
        self.patience = patience
        self.ended = ended
        stream.peerEnded = { [weak self] in self?.close() }
    }

    /// Whether the client has taken all that was sent.
    package var isClear: Bool { unsent.isEmpty }

    /// A piece of the body, at once as a whole chunk (RFC 9112 §7.1) for clients that read whole chunks.
    package func send(_ bytes: [UInt8]) {
        guard !isOver, !bytes.isEmpty else { return }
        if isChunked { unsent += Array("\(String(bytes.count, radix: 16))\r\n".utf8) }
        unsent += bytes
        if isChunked { unsent += Self.lineEnd }
        flush()
        if unsent.count > Self.unsentBytesMax { close() }
    }

    /// Called from time to time.
    package func tick(at now: Int64) {
        flush()
        if isClear {
            stuckSince = 0
        } else if stuckSince == 0 {
            stuckSince = now
        } else if now - stuckSince >= patience.nanoseconds {
            close()
        }
    }

    /// Ends the body well, and the connection.
    package func end() {
        guard !isOver else { return }
        if isChunked {
            unsent += Self.lastChunk
            flush()
        }
        stream.endWriting()
        close()
    }

    func close() {
        guard !isOver else { return }
        isOver = true
        stream.peerEnded = nil
        stream.close()
        unsent = []
        ended()
        gone?()
        gone = nil
    }

    private func flush() {
        while !isOver, !unsent.isEmpty {
            let outcome = unsent.withUnsafeBytes { stream.write($0, UnsafeRawBufferPointer(start: nil, count: 0)) }
            switch outcome {
            case .bytes(let count) where count == unsent.count: unsent = []
            case .bytes(let count): unsent.removeFirst(count)
            case .wouldBlock: return
            case .ended, .failed: close()
            }
        }
    }

    private static let lineEnd = Array("\r\n".utf8)
    private static let lastChunk = Array("0\r\n\r\n".utf8)
}
