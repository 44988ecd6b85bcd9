import ChilCore
import Dispatch

/// So many runs at once, so many that wait, and the rest is turned away: a flood of pictures takes neither all memory nor all threads.
final class ChildSlots: Sendable {
    private struct State {
        var running = 0
        /// First in, first out.
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())
    private let runningMax: Int
    private let waitingMax: Int

    init(runningMax: Int, waitingMax: Int) {
        self.runningMax = runningMax
        self.waitingMax = waitingMax
    }

    /// Runs it on a Dispatch thread, when its turn comes.
    ///
    /// - Returns: `nil` if too many wait already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let isTaken = submit { continuation.resume(returning: work()) }
            if !isTaken { continuation.resume(returning: nil) }
        }
    }

    private func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
        enum Verdict { case now, later, never }
        let verdict = state.withLock { state -> Verdict in
            if state.running < runningMax {
                state.running += 1
                return .now
            }
            guard state.waiting.count < waitingMax else { return .never }
            state.waiting.append(job)
            return .later
        }
        if verdict == .now { begin(job) }
        return verdict != .never
    }

    private func begin(_ job: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async {
            job()
            let next = self.state.withLock { state -> (@Sendable () -> Void)? in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.running -= 1
                return nil
            }
            if let next { self.begin(next) }
        }
    }
}
