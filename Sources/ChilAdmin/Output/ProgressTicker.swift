import Dispatch

/// Counts the seconds of work that is one statement, and says nothing of itself.
final class ProgressTicker {
    /// Lent to the timer until `stop`: its owner waits meanwhile, and touches it again only when no tick can come any more.
    private struct Lent: @unchecked Sendable {
        let progress: Progress
    }

    private let queue = DispatchQueue(label: "progress")
    private let timer: any DispatchSourceTimer
    private let lent: Lent

    init(_ progress: Progress) {
        let lent = Lent(progress: progress)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(500))
        timer.setEventHandler { lent.progress.tick() }
        timer.activate()
        self.lent = lent
    }

    /// Whatever ends the work calls it.
    func stop() {
        timer.cancel()
        queue.sync {}
        lent.progress.end()
    }
}
