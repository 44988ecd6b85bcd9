import ChilLoop

extension HTTPLoop {
    /// `stop()`, from any thread and without waiting.
    package nonisolated func requestStop() {
        loop.post { self.assumeIsolated { $0.stop() } }
    }

    /// Calls `body` with the handler on its loop, soon. From any thread.
    package nonisolated func withHandler(_ body: @escaping @Sendable (any RequestHandler) -> Void) {
        loop.post { self.assumeIsolated { body($0.server.handler) } }
    }
}
