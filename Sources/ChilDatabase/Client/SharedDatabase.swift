package import ChilLoop

/// A client on a loop, for callers from anywhere: `chiladmin` and tests. The service's own requests never hop and don't use it.
package actor SharedDatabase: Database {
    package nonisolated let loop: EventLoop
    private let configuration: DatabaseConfiguration
    private var client: DatabaseClient?

    package init(_ configuration: DatabaseConfiguration, on loop: EventLoop) {
        self.loop = loop
        self.configuration = configuration
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    package func run(_ batch: Batch) async throws(DatabaseError) -> BatchResult {
        if let held = configuration.held { return try await held.run(batch, patience: configuration.batchPatience) }
        return try await opened().run(batch)
    }

    package func close() {
        client?.close()
        client = nil
    }

    private func opened() -> DatabaseClient {
        if let client { return client }
        let made = DatabaseClient(configuration, on: loop)
        made.open()
        client = made
        return made
    }
}
