import ChilCore

/// Wakes the worker of this process when a request has queued work. Other processes hear of it by NOTIFY, or find it by polling.
final class WorkBell: Sendable {
    private struct State {
        var isRung = false
        var waiter: UnsafeContinuation<Void, Never>?
    }

    private let state = Locked(State())

    func ring() {
        let waiter = state.withLock { state in
            state.isRung = true
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }

    /// Returns when rung, at once if that was since the last wait. One waiter.
    func wait() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isRung = state.withLock { state in
                if state.isRung {
                    state.isRung = false
                    return true
                }
                state.waiter = continuation
                return false
            }
            if isRung { continuation.resume() }
        }
        state.withLock { $0.isRung = false }
    }
}
