import ChilConsole
import Glibc

/// The terminal as the console has it: raw, on its second screen. Given back as it was, whatever ends the console.
final class TerminalDevice: Sendable {
    /// - Throws: where there is no terminal at both ends.
    init() throws(AdminFault) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw AdminFault(
                .usage,
                "the console wants a terminal for input and output",
                remedy: "Pipes and files are for the other commands: `chiladmin tenant list -o json`."
            )
        }
    }

    func enter() {
        TerminalRescue.begin()
        var raw = TerminalRescue.kept
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        write(Array(Self.entering.utf8))
    }

    func leave() {
        TerminalRescue.rescue()
    }

    var size: ScreenSize {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return ScreenSize(80, 24)
        }
        return ScreenSize(Int(window.ws_col), Int(window.ws_row))
    }

    /// False: the terminal is gone.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.write(STDOUT_FILENO, raw.baseAddress.map { $0 + written }, raw.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                var wait = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// To the shell, and back when it says so. All of the job: whoever started us waits too.
    func suspend() {
        leave()
        signal(SIGTSTP, SIG_DFL)
        kill(0, SIGTSTP)
        TerminalRescue.listen()
        enter()
    }

    /// The second screen, a clean one; what is pasted is told apart from what is typed.
    private static let entering = "\u{1B}[?1049h\u{1B}[?2004h\u{1B}[2J\(TerminalAbility.question)"
}
