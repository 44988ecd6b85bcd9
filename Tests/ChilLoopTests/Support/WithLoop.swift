import ChilLoop
import ChilTestSupport

/// Runs `body` on a loop of its own, with an actor of that loop for what shall run beside it.
@discardableResult
func withLoop<Value: Sendable>(
    _ body: @Sendable (EventLoop, LoopHome) async throws -> Value
) async throws -> Value {
    let thread = try LoopThread()
    defer {
        thread.loop.stop()
        thread.join()
    }
    let home = LoopHome(thread.loop)
    return try await home.run { loop in try await body(loop, home) }
}

extension EventLoop {
    /// A deadline from now on; later where all is slower.
    func deadline(in length: Duration) -> Int64 {
        monotonicNow + Int64(length.patient / .nanoseconds(1))
    }
}
