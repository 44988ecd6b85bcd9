package import ChilLoop

/// A server on one loop. Several with one `Listener` and one `LoopBalance` share the port.
package actor HTTPLoop {
    package nonisolated let loop: EventLoop
    let server: HTTPServer

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// - Parameters:
    ///   - door: TLS for all that is accepted; `nil`: plain HTTP.
    ///   - makeHandler: called on the loop.
    package init(
        _ listener: Listener,
        _ limits: ServerLimits = ServerLimits(),
        _ balance: LoopBalance,
        _ door: TLSDoor? = nil,
        on loop: EventLoop,
        _ makeHandler: @Sendable (EventLoop) -> sending any RequestHandler
    ) {
        self.loop = loop
        server = HTTPServer(listener, limits, makeHandler(loop), balance, door, on: loop)
    }

    /// Serves until `stop()`, and then until the running requests are done.
    package func run() async throws {
        try server.open()
        let loop = loop
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: loop) { await self.runBackground() }
            while let accepted = await server.nextConnection() {
                group.addTask(executorPreference: loop) { await self.serve(accepted) }
            }
        }
    }

    /// Begins the stop: see `ServerLimits`.
    package func stop() {
        server.stop()
        server.handler.stop()
    }

    private func serve(_ accepted: HTTPServer.Accepted) async {
        await server.serve(accepted)
    }

    private func runBackground() async {
        await server.handler.background()
    }
}
