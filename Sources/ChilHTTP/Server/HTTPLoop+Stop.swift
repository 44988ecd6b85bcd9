import ChilLoop

extension HTTPLoop {
    /// `stop()`, from any thread and without waiting.
    package nonisolated func requestStop() {
        loop.post { self.assumeIsolated { $0.stop() } }
    }
}
