import ChilCore
import Dispatch

/// So many runs at once, so many that wait, and the rest is turned away: a flood of pictures takes neither all memory nor all threads.
final class ChildSlots: Sendable {
    private struct State {
        var running = 0
        /// First in, first out.
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let state = Locked(State())
    private let runningMax: Int
    private let waitingMax: Int

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    init(runningMax: Int, waitingMax: Int) {
        self.runningMax = runningMax
        self.waitingMax = waitingMax
    }

    /// Runs it on a Dispatch thread, when its turn comes.
    ///
    /// - Returns: `nil` if too many wait already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        guard await take() else { return nil }
        defer { leave() }
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }

    /// Waits for a turn, which lasts until `leave`. False: too many wait already, there is none.
    func take() async -> Bool {
        await withCheckedContinuation { continuation in
            let verdict = state.withLock { state -> Bool? in
                if state.running < runningMax {
                    state.running += 1
                    return true
                }
                guard state.waiting.count < waitingMax else { return false }
                state.waiting.append(continuation)
                return nil
            }
            if let verdict { continuation.resume(returning: verdict) }
        }
    }

    /// The turn goes to who waits longest.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
        next?.resume(returning: true)
    }
}
