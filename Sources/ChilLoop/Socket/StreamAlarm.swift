/// Keeps the deadlines of a stream that nobody sweeps: an outbound one.
///
/// It has one timer in the loop's heap, however often the deadline moves; a server's many connections are swept instead.
/// Not `Sendable`: it lives on the stream's loop.
package final class StreamAlarm {
    private let stream: ByteStream
    private var timer: LoopTimer?
    private var ringsAt: Int64 = 0

    package init(for stream: ByteStream) {
        self.stream = stream
    }

    /// - Parameter deadline: monotonic nanoseconds. Once it is past, the answer is `.timedOut` even if bytes are there.
    package func waitReadable(until deadline: Int64) async -> ByteStream.Wake {
        guard stream.loop.monotonicNow < deadline else { return .timedOut }
        stream.readDeadline = deadline
        defer { stream.readDeadline = 0 }
        arm(for: deadline)
        return await stream.waitReadable()
    }

    /// - Parameter deadline: monotonic nanoseconds.
    package func waitWritable(until deadline: Int64) async -> ByteStream.Wake {
        guard stream.loop.monotonicNow < deadline else { return .timedOut }
        stream.writeDeadline = deadline
        defer { stream.writeDeadline = 0 }
        arm(for: deadline)
        return await stream.waitWritable()
    }

    /// Forgets the timer. Call it when the stream is closed.
    package func disarm() {
        if let timer { stream.loop.cancel(timer) }
        timer = nil
    }

    private func arm(for deadline: Int64) {
        // One that rings too early finds nothing due and is set anew.
        if timer != nil, ringsAt <= deadline { return }
        disarm()
        ringsAt = deadline
        timer = stream.loop.timers.add(at: deadline) { [weak self] in self?.ring() }
    }

    private func ring() {
        timer = nil
        guard !stream.isClosed else { return }
        let now = stream.loop.monotonicNow
        stream.sweep(at: now)
        let next = [stream.readDeadline, stream.writeDeadline].filter { $0 > now }.min()
        if let next { arm(for: next) }
    }
}
