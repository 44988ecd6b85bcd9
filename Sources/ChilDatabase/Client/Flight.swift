/// A batch on its way: queued, sent, answered.
///
/// Not `Sendable`: it lives on its loop.
final class Flight {
    enum Stage {
        case waiting
        case sent
        case done
    }

    let batch: Batch
    var stage = Stage.waiting
    var sets: [ResultSet] = []
    var error: DatabaseError?
    /// The first error of the server while results still come in; becomes `error` at the Sync.
    var refusal: DatabaseError?
    /// Results seen in this sending, `chil_enter` and `BEGIN` included.
    var received = 0
    var syncs = 0
    /// Another batch of its group failed before it: it was not run.
    var wasSkipped = false
    /// It is sent with a Sync of its own from now on.
    var mustGoAlone = false
    var attempts = 0
    var resends = 0
    /// Monotonic nanoseconds.
    let begun: Int64
    let deadline: Int64
    private var waiter: UnsafeContinuation<Void, Never>?
    /// Called at the end, for whoever does not wait.
    var ended: (() -> Void)?

    init(_ batch: Batch, begun: Int64, patience: Int64) {
        self.batch = batch
        self.begun = begun
        deadline = begun + patience
    }

    func prepareForSending() {
        stage = .sent
        sets.removeAll(keepingCapacity: true)
        sets.reserveCapacity(batch.entries.count)
        refusal = nil
        received = 0
        syncs = 0
        wasSkipped = false
        attempts += 1
    }

    /// Reads of tenants alone: without a tenant it would see the one before it, and what writes has its own transaction.
    var mayShareSync: Bool { batch.access == .read && batch.tenant != nil && !mustGoAlone }

    /// Results of `BEGIN` and `chil_enter`, which come before those of its statements.
    func leadingCount(_ form: DatabaseConfiguration.SegmentForm) -> Int {
        (batch.mustEnter ? 1 : 0) + (form == .explicit ? 1 : 0)
    }

    func wait() async {
        guard stage != .done else { return }
        await withUnsafeContinuation { continuation in
            // A caller without an actor may be put behind other jobs of the loop here, and one of them may end the flight.
            if stage == .done { continuation.resume() } else { waiter = continuation }
        }
    }

    /// Ends it, once; what comes later for it is dropped.
    func finish(_ error: DatabaseError?) {
        guard stage != .done else { return }
        stage = .done
        self.error = error
        waiter?.resume()
        waiter = nil
        ended?()
        ended = nil
    }
}
