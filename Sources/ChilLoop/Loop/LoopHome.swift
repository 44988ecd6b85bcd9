/// An actor on a loop, for callers from outside it: what runs in `run` stays on the loop's thread.
package actor LoopHome {
    package nonisolated let loop: EventLoop

    package init(_ loop: EventLoop) {
        self.loop = loop
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Runs `body` on the loop.
    package func run<Value: Sendable>(
        _ body: @Sendable (EventLoop) async throws -> Value
    ) async rethrows -> Value {
        // The actor alone is not enough: a continuation is resumed by the task's executor first, which else is the global pool.
        try await withTaskExecutorPreference(loop) { try await body(loop) }
    }
}
