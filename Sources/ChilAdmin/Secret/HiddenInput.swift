import ChilCrypto
import Glibc

/// What is typed at a terminal that does not show it. The terminal shows again what is typed after it, whatever ends it: an answer, the
/// end of the input, a signal, a stop and a fault of the program.
enum HiddenInput {
    /// Made before a signal can come: a handler calls only what it may (signal-safety(7)).
    nonisolated(unsafe) private static var before = termios()
    nonisolated(unsafe) private static var hidden = termios()
    nonisolated(unsafe) private static var isHidden: sig_atomic_t = 0

    static let bytesMax = 64 << 10
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

    /// One line without its end, or a block of lines to one that begins with `-----END`; `nil`: nobody answered.
    ///
    /// - Parameter asking: shows the question, once nothing that is typed is shown any more.
    static func read(isBlock: Bool, asking: () -> Void) -> [UInt8]? {
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // The line's end is shown: somebody sees that it was taken.
        hidden.c_lflag |= tcflag_t(ICANON | ISIG | ECHONL)
        var earlier: [(Int32, __sighandler_t?)] = []
        for number in ending + faults { earlier.append((number, signal(number, fall))) }
        earlier.append((SIGTSTP, signal(SIGTSTP, stop)))
        earlier.append((SIGCONT, signal(SIGCONT, goOn)))
        // Whoever started us may have kept them from us; Ctrl-C has to come.
        var (heard, mask) = (sigset_t(), sigset_t())
        sigemptyset(&heard)
        for (number, _) in earlier { sigaddset(&heard, number) }
        pthread_sigmask(SIG_UNBLOCK, &heard, &mask)
        isHidden = 1
        // What was typed before the question is no answer to it.
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            show()
            pthread_sigmask(SIG_SETMASK, &mask, nil)
            for (number, handler) in earlier { signal(number, handler) }
        }
        asking()
        return lines(isBlock: isBlock)
    }

    private static func lines(isBlock: Bool) -> [UInt8]? {
        var text: [UInt8] = []
        var lineStart = 0
        var buffer = [UInt8](repeating: 0, count: 4_096)
        defer { ConstantTime.cleanse(&buffer) }
        while text.count <= bytesMax {
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // The end of the input, or no terminal any more.
            guard count > 0 else { return isBlock && !text.isEmpty ? text : nil }
            text += buffer[..<count]
            guard text.last == 0x0A else { continue }
            if !isBlock {
                text.removeLast()
                return text
            }
            if text[lineStart...].starts(with: Array("-----END".utf8)) || count == 1 && text.count == 1 { return text }
            lineStart = text.count
        }
        ConstantTime.cleanse(&text)
        return nil
    }

    private static func show() {
        guard isHidden != 0 else { return }
        isHidden = 0
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }

    private static let fall: @convention(c) (Int32) -> Void = { number in
        show()
        signal(number, SIG_DFL)
        raise(number)
    }

    /// To the shell, which has the terminal as it was.
    private static let stop: @convention(c) (Int32) -> Void = { number in
        let saved = errno
        show()
        signal(SIGTSTP, SIG_DFL)
        raise(number)
        errno = saved
    }

    /// Back from it.
    private static let goOn: @convention(c) (Int32) -> Void = { _ in
        let saved = errno
        isHidden = 1
        signal(SIGTSTP, stop)
        tcsetattr(STDIN_FILENO, TCSANOW, &hidden)
        errno = saved
    }
}
