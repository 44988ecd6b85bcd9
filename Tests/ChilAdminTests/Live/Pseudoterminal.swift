import ChilTestSupport
import Foundation

/// A program at a terminal of its own, and what that terminal shows.
final class Pseudoterminal {
    private let master: Int32
    /// Kept open, so that what the program leaves behind can be looked at.
    private let slave: Int32
    let process = Process()
    private(set) var screen: TerminalEmulator

    /// - Parameter words: a program with its arguments; it has the terminal as its controlling one.
    init(_ words: [String], width: Int = 80, height: Int = 24, environment: [String: String]) throws {
        // As posix_openpt(3) and its kin do, which Glibc's overlay leaves out (pty(7), ioctl_tty(2)).
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            throw Fault.noTerminal
        }
        slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Fault.noTerminal }
        screen = TerminalEmulator(width, height)
        setSize(width, height)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        let end = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
        process.arguments = ["--ctty", "--wait"] + words
        process.environment = environment
        process.standardInput = end
        process.standardOutput = end
        process.standardError = end
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
        close(slave)
        close(master)
    }

    enum Fault: Error { case noTerminal }

    /// How the terminal is set.
    var settings: [UInt32] {
        var settings = termios()
        tcgetattr(slave, &settings)
        return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    func resize(_ width: Int, _ height: Int) {
        screen.resize(width, height)
        setSize(width, height)
    }

    private func setSize(_ width: Int, _ height: Int) {
        var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// The process behind `setsid`.
    var child: pid_t {
        let path = "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children"
        let children = try? String(contentsOfFile: path, encoding: .utf8)
        // It becomes the program itself where it need not fork.
        return children?.split(separator: " ").first.flatMap { pid_t($0) } ?? process.processIdentifier
    }

    /// Reads what came.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(master, &bytes, bytes.count)
            guard count > 0 else { return }
            screen.received(bytes[..<count])
        }
    }

    /// True once the screen has it.
    func shows(_ text: String, _ patience: Duration = .seconds(20)) -> Bool {
        waitUntil(patience) {
            drain()
            return screen.text.contains(text)
        }
    }

    func shows(_ patience: Duration = .seconds(20), _ isSo: (TerminalEmulator) -> Bool) -> Bool {
        waitUntil(patience) {
            drain()
            return isSo(screen)
        }
    }

    /// Its status, once it has ended.
    func ended(_ patience: Duration = .seconds(20)) -> Int32? {
        let isEnded = waitUntil(patience) {
            drain()
            return !process.isRunning
        }
        drain()
        return isEnded ? process.terminationStatus : nil
    }
}
