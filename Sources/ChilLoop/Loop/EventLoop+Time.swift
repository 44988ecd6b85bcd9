package import ChilCore
internal import Glibc

extension EventLoop {
    /// Calls `call` on the loop after `length`.
    @discardableResult
    package func after(_ length: Duration, _ call: @escaping () -> Void) -> LoopTimer {
        timers.add(at: monotonicNow + length.wholeMicroseconds * 1_000, call)
    }

    /// Forgets a timer that has not fired yet.
    package func cancel(_ timer: LoopTimer) {
        timers.cancel(timer)
    }

    /// Calls `call` every `length` until it answers false.
    package func every(_ length: Duration, _ call: @escaping () -> Bool) {
        after(length) { [unowned self] in
            if call() { every(length, call) }
        }
    }

    /// Waits on the loop.
    package func sleep(_ length: Duration) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            _ = after(length) { continuation.resume() }
        }
    }

    /// The wall clock (`CLOCK_REALTIME`).
    package var wallClock: Timestamp {
        if let stoppedWallClock { return stoppedWallClock }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    func fireTimers() {
        while let call = timers.popDue(at: monotonicNow) { call() }
    }
}
