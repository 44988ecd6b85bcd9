internal import CLinux
internal import Glibc

/// A connected socket on a loop: tries first, waits only when the kernel says `EAGAIN`.
///
/// Not `Sendable`: it lives and is used on one loop. At most one reader and one writer wait at a time.
package final class ByteStream: ReadinessHandler {
    package enum Outcome: Equatable {
        /// This many bytes were read or written, at least one.
        case bytes(Int)
        case wouldBlock
        /// The peer sent its last byte (reading only).
        case ended
        /// errno(3) of the failure.
        case failed(Int32)
    }

    package enum Wake: Equatable {
        case ready
        case timedOut
        /// `close()` or `interrupt()` was called while waiting.
        case interrupted
    }

    package let loop: EventLoop
    package let descriptor: Int32
    private var registration: Registration?
    private var reader: UnsafeContinuation<Void, Never>?
    private var writer: UnsafeContinuation<Void, Never>?
    private var readWake = Wake.ready
    private var writeWake = Wake.ready
    /// Edge-triggered: false after `EAGAIN` until the next event.
    private var mayRead = true
    private var mayWrite = true
    private var peerHasEnded = false
    /// Called once the peer has ended its side, at once if it has: for whoever writes and does not read.
    package var peerEnded: (() -> Void)? {
        didSet { if peerHasEnded { peerEnded?() } }
    }
    /// Monotonic nanoseconds after which a waiting reader or writer is woken with `.timedOut`; 0 for never.
    package var readDeadline: Int64 = 0
    package var writeDeadline: Int64 = 0
    package private(set) var isClosed = false
    /// `nil`: what is read and written goes over the network as it is.
    package let seal: StreamSeal?

    /// Takes the descriptor over: it is closed by `close()`, or here when it cannot be watched.
    ///
    /// - Parameter seal: the server's side of TLS; nothing is read or written before `completeHandshake`.
    package init(takingOwnershipOf descriptor: Int32, on loop: EventLoop, seal: StreamSeal? = nil) throws(LoopError) {
        self.loop = loop
        self.descriptor = descriptor
        self.seal = seal
        do {
            registration = try loop.watch(descriptor, for: [.readable, .writable, .peerClosed], self)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    package func descriptorIsReady(_ readiness: Readiness) {
        if !readiness.isDisjoint(with: [.readable, .peerClosed, .failed]) {
            mayRead = true
            if !readiness.isDisjoint(with: [.peerClosed, .failed]) {
                let isNews = !peerHasEnded
                peerHasEnded = true
                if isNews { peerEnded?() }
            }
            wakeReader(.ready)
        }
        if !readiness.isDisjoint(with: [.writable, .failed]) {
            mayWrite = true
            if let seal { _ = seal.flush(over: self) }
            wakeWriter(.ready)
        }
    }

    // MARK: Trying

    // What is closed is not touched: its descriptor's number may be another's by then. Whoever did something else in between, as the
    // server's handler does before it answers, need not look whether it was.

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        guard !isClosed else { return .failed(EBADF) }
        if let seal { return seal.read(into: buffer, over: self) }
        return readSocket(into: buffer)
    }

    func readSocket(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        guard mayRead else { return .wouldBlock }
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                // A short read has emptied the socket; the next event says when there is more.
                // After the peer's end no further event comes: then only a read of 0 bytes tells.
                if count < buffer.count, !peerHasEnded { mayRead = false }
                return .bytes(count)
            }
            if count == 0 { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                mayRead = false
                return .wouldBlock
            case let code: return .failed(code)
            }
        }
    }

    /// Sends both pieces by one sendmsg(2); the second may be empty.
    package func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Outcome {
        guard !isClosed else { return .failed(EBADF) }
        if let seal { return seal.write(first, second, over: self) }
        return writeSocket(first, second)
    }

    func writeSocket(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Outcome {
        guard mayWrite else { return .wouldBlock }
        return withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { pieces in
            pieces[0] = iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count)
            pieces[1] = iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
            var message = msghdr()
            message.msg_iov = pieces.baseAddress
            message.msg_iovlen = second.isEmpty ? 1 : 2
            return send(&message)
        }
    }

    private func send(_ message: inout msghdr) -> Outcome {
        while true {
            let count = sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                mayWrite = false
                return .wouldBlock
            case let code: return .failed(code)
            }
        }
    }

    // MARK: Waiting

    /// Does the handshake of a sealed stream. False: there is nobody to serve, or it took too long; close the stream.
    ///
    /// - Parameter deadline: monotonic nanoseconds, for the whole.
    package func completeHandshake(until deadline: Int64) async -> Bool {
        guard let seal else { return true }
        readDeadline = deadline
        while true {
            if isClosed { return false }
            switch seal.handshake(over: self) {
            case .done: return true
            case .failed: return false
            case .wouldBlock: guard await waitReadable() == .ready else { return false }
            }
        }
    }

    package func waitReadable() async -> Wake {
        if isClosed { return .interrupted }
        if mayRead { return .ready }
        readWake = .ready
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            // A caller without an actor may come here behind other jobs of the loop: what it waits for may have been since.
            if mayRead || isClosed { continuation.resume() } else { reader = continuation }
        }
        // It may have been closed after it was woken and before this ran: the descriptor's number may be another's now.
        return isClosed ? .interrupted : readWake
    }

    package func waitWritable() async -> Wake {
        if isClosed { return .interrupted }
        if mayWrite { return .ready }
        writeWake = .ready
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            if mayWrite || isClosed { continuation.resume() } else { writer = continuation }
        }
        return isClosed ? .interrupted : writeWake
    }

    /// Wakes who waits for reading: used to end idle connections when the service stops.
    package func interruptReader() {
        wakeReader(.interrupted)
    }

    /// Before a connection is made the socket is not writable, and no `EAGAIN` has said so.
    func expectWritability() {
        mayWrite = false
    }

    func interruptWriter() {
        wakeWriter(.timedOut)
    }

    /// Called by whoever sweeps deadlines, a few times a second.
    package func sweep(at now: Int64) {
        if readDeadline != 0, now >= readDeadline { wakeReader(.timedOut) }
        if writeDeadline != 0, now >= writeDeadline { wakeWriter(.timedOut) }
    }

    /// Tells the peer that nothing more is sent (`SHUT_WR`), for a lingering close.
    package func endWriting() {
        guard !isClosed else { return }
        seal?.end(over: self)
        shutdown(descriptor, Int32(SHUT_WR))
    }

    package func close() {
        guard !isClosed else { return }
        seal?.end(over: self)
        isClosed = true
        if let registration { loop.unwatch(registration) }
        registration = nil
        Glibc.close(descriptor)
        wakeReader(.interrupted)
        wakeWriter(.interrupted)
    }

    private func wakeReader(_ wake: Wake) {
        guard let waiting = reader else { return }
        reader = nil
        readWake = wake
        waiting.resume()
    }

    private func wakeWriter(_ wake: Wake) {
        guard let waiting = writer else { return }
        writer = nil
        writeWake = wake
        waiting.resume()
    }
}
