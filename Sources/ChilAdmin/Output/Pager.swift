import Glibc

/// The program that shows long text: its name and words. No shell reads them.
struct Pager: Equatable, Sendable {
    let words: [String]

    /// CHIL_PAGER goes before PAGER, and `less` is what there mostly is. Set to nothing, or to `cat`: none.
    init?(environment: Environment) {
        let text = environment.given("CHIL_PAGER") ?? environment.given("PAGER") ?? "less"
        words = text.split(separator: " ").map(String.init)
        guard let program = words.first, program != "cat" else { return nil }
    }

    /// False: it could not be started, and nothing was shown.
    func show(_ text: String) -> Bool {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        // The keys belong to the pager: Ctrl-C there ends its search and not this program.
        let before = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, before) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGINT)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        // As git does: leave if it fits, pass colours, keep the screen. Only where nothing was said.
        setenv("LESS", "FRX", 0)
        var process = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        let started = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
        close(ends[0])
        guard started == 0 else {
            close(ends[1])
            return false
        }
        // A pager that is left early closes the pipe: that is its right.
        try? StandardConsole.write(text, to: ends[1])
        close(ends[1])
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return true
    }
}
