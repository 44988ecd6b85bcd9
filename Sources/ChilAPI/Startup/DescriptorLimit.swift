import Glibc

/// How many descriptors the process may have (getrlimit(2), RLIMIT_NOFILE).
enum DescriptorLimit {
    /// Kept from clients: connections to PostgreSQL, printers and issuers, epoll, the log.
    private static let ownPerLoop = 32
    private static let ownOfProcess = 96

    /// Asks for as many as an unprivileged process may have: the usual soft limit is 1,024. Returns what it got.
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        limit.rlim_cur = limit.rlim_max
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Clients' connections per loop, so that many idle ones never take the descriptors that their requests need.
    static func connectionsPerLoop(of limit: Int, loops: Int, atMost most: Int) -> Int {
        min(most, max(16, (limit - ownOfProcess) / loops - ownPerLoop))
    }
}
