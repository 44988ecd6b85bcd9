import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Prolongs the lease of work while somebody else's server is waited for: whoever dies loses it soon, and a slow server takes as long as it
/// takes. Not `Sendable`.
final class LeaseKeeper {
    private let item: WorkItem
    private let lease: Duration
    private let loop: EventLoop
    private let database: DatabaseClient
    private var timer: LoopTimer?

    /// Keeps it until `stop()`.
    init(_ item: WorkItem, lease: Duration, on loop: EventLoop, _ database: DatabaseClient) {
        self.item = item
        self.lease = lease
        self.loop = loop
        self.database = database
        wait()
    }

    func stop() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func wait() {
        timer = loop.after(lease / 3) { [weak self] in self?.prolong() }
    }

    private func prolong() {
        var batch = Batch(.write, of: nil)
        batch.add(WorkPostpone(item, by: lease))
        database.post(batch)
        wait()
    }
}
