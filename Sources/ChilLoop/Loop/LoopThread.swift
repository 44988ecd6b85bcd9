internal import Glibc
internal import Synchronization

/// A loop on a thread of its own.
package final class LoopThread: Sendable {
    package let loop: EventLoop
    package var index: Int { loop.index }
    private let thread: pthread_t
    private let isJoined = Atomic(false)

    /// Starts the thread. It ends after `loop.stop()`.
    package init(index: Int = 0) throws(LoopError) {
        let loop = try EventLoop(index: index)
        self.loop = loop
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, Self.stackBytes)
        defer { pthread_attr_destroy(&attributes) }
        let code = pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument else { return nil }
                let loop = Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue()
                loop.run()
                return nil
            },
            Unmanaged.passRetained(loop).toOpaque()
        )
        guard code == 0 else { throw .system("pthread_create", code) }
        self.thread = thread
    }

    deinit {
        // Nobody waits for it any more: its memory goes when it ends.
        if !isJoined.load(ordering: .relaxed) { pthread_detach(thread) }
    }

    /// Waits for the thread's end. Never on the loop itself; a second call returns at once.
    package func join() {
        guard !isJoined.exchange(true, ordering: .relaxed) else { return }
        pthread_join(thread, nil)
    }

    private static let stackBytes = 2 << 20
}
