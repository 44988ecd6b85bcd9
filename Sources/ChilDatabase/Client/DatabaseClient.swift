import ChilCore
package import ChilLoop

/// One loop's PostgreSQL: reads, writes and bulk bytes on connections of their own, shared by all requests in flight.
///
/// Not `Sendable`: make one per loop and use it there. Connecting goes on in the background from `open()`; a batch that comes
/// while the database is away waits up to `availabilityWait`.
package final class DatabaseClient: Database {
    private let loop: EventLoop
    private let configuration: DatabaseConfiguration
    private let reads: Lane
    private let writes: Lane
    private let bulk: Lane
    private var isOpen = false

    package init(_ configuration: DatabaseConfiguration, on loop: EventLoop) {
        self.loop = loop
        self.configuration = configuration
        reads = Lane(
            configuration,
            connections: configuration.readConnections...configuration.readConnections,
            depth: configuration.depthMax,
            on: loop
        )
        writes = Lane(
            configuration,
            connections: configuration
                .writeConnections...max(
                    configuration.writeConnections,
                    configuration.writeConnectionsMax
                ),
            depth: configuration.depthMax,
            on: loop
        )
        bulk = Lane(
            configuration,
            connections: configuration.bulkConnections...configuration.bulkConnections,
            depth: configuration.bulkDepthMax,
            on: loop
        )
    }

    package func open() {
        guard !isOpen else { return }
        isOpen = true
        reads.open()
        writes.open()
        bulk.open()
        loop.every(Self.sweepInterval) { [weak self] in
            guard let self, isOpen else { return false }
            sweep()
            return true
        }
    }

    /// Drops the connections; batches that wait end with `.unavailable`.
    package func close() {
        isOpen = false
        for lane in [reads, writes, bulk] { lane.close() }
    }

    package func run(_ batch: Batch) async throws(DatabaseError) -> BatchResult {
        let flight = submit(batch)
        await flight.wait()
        if let error = flight.error { throw error }
        return BatchResult(sets: flight.sets)
    }

    /// Sends the batch without waiting for its result, which nobody hears of.
    package func post(_ batch: Batch) {
        _ = submit(batch)
    }

    /// Sends the batch and tells its result later, on the loop, to whoever has no task of its own to wait in.
    package func post(_ batch: Batch, _ told: @escaping (Result<BatchResult, DatabaseError>) -> Void) {
        _ = submit(batch) { flight in
            told(flight.error.map { .failure($0) } ?? .success(BatchResult(sets: flight.sets)))
        }
    }

    private func submit(_ batch: Batch, _ ended: ((Flight) -> Void)? = nil) -> Flight {
        let flight = Flight(batch, begun: loop.monotonicNow, patience: configuration.batchPatience.nanoseconds)
        if let ended { flight.ended = { [unowned flight] in ended(flight) } }
        if batch.entersAnother {
            flight.finish(
                DatabaseError(.forbidden, detail: "a statement names another tenant than its batch: correct it")
            )
            return flight
        }
        switch batch.access {
        case .read: reads.submit(flight)
        case .write: writes.submit(flight)
        case .bulkRead, .bulkWrite: bulk.submit(flight)
        }
        return flight
    }

    /// True when reads and writes have a connection.
    package var isConnected: Bool { reads.isConnected && writes.isConnected }

    /// For how long there has been no connection for reading or writing.
    package var awayFor: Duration {
        let since = [reads.awaySince, writes.awaySince].filter { $0 != 0 }.min() ?? loop.monotonicNow
        return .nanoseconds(loop.monotonicNow - since)
    }

    private func sweep() {
        let now = loop.monotonicNow
        for lane in [reads, writes, bulk] { lane.sweep(at: now) }
    }

    private static let sweepInterval = Duration.milliseconds(100)
}

extension Duration {
    var nanoseconds: Int64 { wholeMicroseconds * 1_000 }
}
