import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// A loop's maker of ids, under a slot that is leased in PostgreSQL. Without a lease it makes none: two loops with one slot could
/// make the same id. Not `Sendable`.
final class IDSource {
    private let loop: EventLoop
    private let holder: String
    private var generator: IDGenerator?
    private var slot: LoopSlot?
    /// Monotonic nanoseconds up to which ids may be made: well before the lease ends in PostgreSQL.
    private var usableUntil: Int64 = 0
    private var isStopped = false
    /// Called at the first lease, once.
    private var started: (() -> Void)?
    private var waiter: UnsafeContinuation<Void, Never>?

    /// - Parameter holder: names this loop of this process for operators.
    init(holder: String, on loop: EventLoop, started: @escaping () -> Void) {
        self.holder = holder
        self.loop = loop
        self.started = started
    }

    /// Whether ids can be had now.
    var isReady: Bool { loop.monotonicNow < usableUntil }

    /// A fresh id.
    ///
    /// - Throws: `Problem.databaseAway` while there is no lease.
    func next<Kind>(_ kind: Identifier<Kind>.Type = Identifier<Kind>.self, at now: Timestamp) throws(Problem)
        -> Identifier<Kind>
    {
        guard loop.monotonicNow < usableUntil, let id: Identifier<Kind> = generator?.identifier(at: now) else {
            throw .databaseAway
        }
        return id
    }

    /// Keeps the lease until `stop()`.
    func keep(on database: DatabaseClient) async {
        while !isStopped {
            let asked = loop.monotonicNow
            do {
                if let held = slot {
                    if try await held.renew(holder: holder, for: Self.lease, on: database) {
                        extend(from: asked)
                    } else {
                        forget()
                        continue
                    }
                } else if let leased = try await LoopSlot.lease(holder: holder, for: Self.lease, on: database) {
                    slot = leased
                    generator = IDGenerator(slot: Int(leased.number))
                    extend(from: asked)
                    started?()
                    started = nil
                }
            } catch {
                // Without an answer the lease runs out by itself; the next round tries again.
            }
            await pause(slot == nil ? Self.retry : Self.renewal)
        }
        try? await slot?.release(holder: holder, on: database)
    }

    func stop() {
        isStopped = true
        waiter?.resume()
        waiter = nil
    }

    /// Until then, or until `stop()`.
    private func pause(_ length: Duration) async {
        guard !isStopped else { return }
        let timer = loop.after(length) { [weak self] in
            self?.waiter?.resume()
            self?.waiter = nil
        }
        await withUnsafeContinuation { continuation in
            if isStopped { continuation.resume() } else { waiter = continuation }
        }
        loop.cancel(timer)
    }

    private func extend(from asked: Int64) {
        usableUntil = asked + (Self.lease - Self.margin).wholeMicroseconds * 1_000
    }

    private func forget() {
        slot = nil
        generator = nil
        usableUntil = 0
    }

    private static let lease = Duration.seconds(60)
    private static let margin = Duration.seconds(10)
    private static let renewal = Duration.seconds(5)
    private static let retry = Duration.milliseconds(100)
}
