import Glibc

/// SIGTERM and SIGINT, taken by the main thread alone: every other thread is started with them blocked.
struct StopSignal {
    private var set = sigset_t()

    /// Call before any other thread is started.
    init() {
        signal(SIGPIPE, SIG_IGN)
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Blocks until one of them comes.
    mutating func wait() {
        var number: Int32 = 0
        sigwait(&set, &number)
        // A second one ends the process at once: whoever sends it has waited long enough.
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
