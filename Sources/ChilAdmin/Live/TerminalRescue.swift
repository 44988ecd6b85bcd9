import Glibc

/// What a signal's handler needs to give the terminal back: everything is made before, so that a handler calls only what it may (signal-safety(7)).
enum TerminalRescue {
    /// How the terminal was.
    nonisolated(unsafe) private static var before = termios()
    nonisolated(unsafe) private static var isEntered: sig_atomic_t = 0
    nonisolated(unsafe) private static var leaving = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    /// Signals as bytes, for whoever reads them in its own time.
    nonisolated(unsafe) private static var ends: (read: Int32, write: Int32) = (-1, -1)
    nonisolated(unsafe) private static var asked: sig_atomic_t = 0

    static var kept: termios { before }
    static var signals: Int32 { ends.read }

    private static let leavingText =
        "\u{1B}[?2026l\u{1B}_Ga=d,q=2\u{1B}\\\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
    private static let told = [SIGWINCH, SIGTSTP, SIGCONT]
    private static let ending = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]
    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

    /// Keeps how the terminal is; from here on every end gives it back.
    static func begin() {
        if leaving.baseAddress == nil {
            let bytes = Array(leavingText.utf8)
            let place = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = place.initialize(from: bytes)
            leaving = place
            tcgetattr(STDIN_FILENO, &before)
            var pair: [Int32] = [-1, -1]
            if pipe(&pair) == 0 {
                ends = (pair[0], pair[1])
                for end in pair {
                    _ = fcntl(end, F_SETFL, O_NONBLOCK)
                    _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                }
            }
            listen()
        }
        isEntered = 1
    }

    static func listen() {
        for number in told + ending { signal(number, tell) }
        for number in faults { signal(number, fall) }
    }

    /// Again and again, if need be.
    static func rescue() {
        guard isEntered != 0 else { return }
        isEntered = 0
        _ = write(STDOUT_FILENO, leaving.baseAddress, leaving.count)
        // Answers of the terminal that came too late are nobody's. Nothing waits for a terminal that takes no more.
        tcflush(STDIN_FILENO, TCIFLUSH)
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }

    /// The console is left: signals mean what they meant.
    static func end() {
        rescue()
        asked = 0
        for number in told + ending + faults { signal(number, SIG_DFL) }
    }

    private static let tell: @convention(c) (Int32) -> Void = { number in
        let saved = errno
        if number == SIGTERM || number == SIGHUP || number == SIGINT || number == SIGQUIT {
            // Asked twice, and not gone: something hangs.
            if asked != 0 {
                fall(number)
                return
            }
            asked = 1
        }
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(ends.write, &byte, 1)
        errno = saved
    }

    private static let fall: @convention(c) (Int32) -> Void = { number in
        rescue()
        signal(number, SIG_DFL)
        raise(number)
    }
}
