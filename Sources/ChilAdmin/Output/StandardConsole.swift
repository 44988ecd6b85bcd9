import Glibc

/// Standard output and standard error of this process, unbuffered: one `write` per answer.
final class StandardConsole: Console {
    var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    var talkIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    var outputSize: TerminalSize? { Self.size(of: STDOUT_FILENO) }

    /// Of the terminal that standard error is; `nil`: it is none.
    var talkColumns: Int? { Self.size(of: STDERR_FILENO)?.columns }

    private static func size(of descriptor: Int32) -> TerminalSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// From here on a broken pipe is an error of `write` and no signal.
    init() {
        signal(SIGPIPE, SIG_IGN)
    }

    func output(_ text: String) throws(ConsoleError) {
        try Self.write(text, to: STDOUT_FILENO)
    }

    func page(_ text: String, by pager: Pager) -> Bool { pager.show(text) }

    func talk(_ text: String) {
        try? Self.write(text, to: STDERR_FILENO)
    }

    static func write(_ text: String, to descriptor: Int32) throws(ConsoleError) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.write(descriptor, raw.baseAddress.map { $0 + written }, raw.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EPIPE {
                throw .readerGone
            } else if errno == EAGAIN {
                // Somebody else made the shared terminal or pipe non-blocking (F_SETFL holds for all its holders).
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                throw .failed(errno)
            }
        }
    }
}
