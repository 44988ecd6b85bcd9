import Glibc

/// SIGTERM, SIGINT and SIGHUP, taken by the main thread alone: every other thread is started with them blocked.
struct StopSignal {
    private var set = sigset_t()

    /// Call before any other thread is started.
    init() {
        signal(SIGPIPE, SIG_IGN)
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Blocks until SIGTERM or SIGINT comes.
    ///
    /// - Parameter reload: called at each SIGHUP.
    mutating func wait(_ reload: () -> Void) {
        var number = SIGHUP
        while number == SIGHUP {
            sigwait(&set, &number)
            if number == SIGHUP { reload() }
        }
        sigdelset(&set, SIGHUP)
        // A second one ends the process at once: whoever sends it has waited long enough.
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
